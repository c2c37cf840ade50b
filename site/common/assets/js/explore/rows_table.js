// Draws a page of rows as a table whose headings sort it.

import { make } from "../elements.js";
import { linksOf, trialOf } from "./row_links.js";
import { columnTitle, unitOf } from "./titles.js";
import { isNumeric, wordsOf } from "./values.js";

export const PAGE_ROWS = 100;
const LONG = 60; // A cell with more letters has several lines.

// The table. `sort` is a column, with a minus if descending; `chosen` are the names of the trials drawn over time.
// onSort(column) and onSeries(name of a trial) are called when a reader asks for it.
export function rowsTable({ rows, columns, caption, sort, root, onSort, onSeries, chosen }) {
  const linked = rows.some((row) => linksOf(row).length);
  const heads = columns.map((column) => heading(column, sort, onSort));
  if (linked) heads.unshift(make("th", { scope: "col" }, "Pages"));
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const words = wordsOf(row[column.name]);
      return make("td", { class: words.length > LONG ? "long" : classOf(column) }, words);
    });
    if (linked) cells.unshift(pagesCell(row, root, onSeries, chosen));
    return make("tr", {}, ...cells);
  });
  return make("table", {},
    make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
}

function heading(column, sort, onSort) {
  const direction = { [column.name]: "ascending", [`-${column.name}`]: "descending" }[sort] ?? null;
  const mark = { ascending: " ▲", descending: " ▼" }[direction] ?? "";
  const title = `${column.name}: ${column.meaning}. Sort by it.`;
  const button = make("button", { type: "button", class: "sort", title, "data-column": column.name,
    onclick: () => onSort(column.name) }, columnTitle(column));
  if (unitOf(column)) button.append(make("small", {}, ` (${unitOf(column)})`));
  button.append(make("span", { "aria-hidden": "true" }, mark));
  return make("th", { scope: "col", class: classOf(column), "aria-sort": direction }, button);
}

function pagesCell(row, root, onSeries, chosen) {
  const cell = make("td", { class: "pages" });
  for (const link of linksOf(row)) {
    cell.append(make("a", { href: new URL(link.address, root), "aria-label": link.name }, link.words), " ");
  }
  const name = trialOf(row);
  if (!name) return cell;
  const pressed = String(chosen.includes(name));
  cell.append(make("button", { type: "button", class: "small", "aria-pressed": pressed, "data-trial": name,
    "aria-label": `Draw over time: trial ${row.trial} of ${row.pair}, ${row.setting}, cycle ${row.cycle}`,
    onclick: () => onSeries(name) }, "over time"));
  return cell;
}

function classOf(column) {
  return isNumeric(column) ? "n" : null;
}
