// Draws what two sides have in common: rows with two dots on one axis, and their numbers.

import { make } from "../elements.js";
import { matchup, pageOf } from "./cycle.js";
import { axisLine, axisOf, dumbbell } from "./dumbbell.js";
import { differenceWords, intervalWords, medianWords } from "./figures.js";
import { intervalsOf, matchedCells, matchedSides } from "./matching.js";
import { rowsOf } from "./sides.js";

const SIDES = ["A", "B"], CELLS = 20; // that a reader sees before the others unfold

// Two pairs, or services alone: a table for each service with all its figures.
export function pairTables(sides, words) {
  const [a, b] = sides;
  return matchedSides(rowsOf(a.cycle, a.side), rowsOf(b.cycle, b.side)).map(({ one, other }) => {
    const titles = [[a, one], [b, other]].map(([side, found]) => found && matchup(side.cycle, found.row));
    const caption = titles[0] === titles[1] ? titles[0]
      : titles.map((title, place) => `${SIDES[place]}: ${title ?? "not measured"}`).join("; ");
    const names = [...new Set([...(one?.figures.keys() ?? []), ...(other?.figures.keys() ?? [])])];
    const ordered = Object.keys(words.figures).filter((name) => names.includes(name));
    return table(caption, "Figure", null, ordered.map((name) => {
      const rows = [one, other].map((found) => found?.figures.get(name) ?? null), axis = axisOf(name, rows, words);
      return line(words.figures[name].name, rows, words, { axis, below: axisLine(axis) });
    }));
  });
}

// Two settings: a figure of every cell, the largest difference first. All but the first cells are folded.
export function settingTables(sides, figure, words, root) {
  const [a, b] = sides;
  const cells = matchedCells(rowsOf(a.cycle, a.side), rowsOf(b.cycle, b.side), figure);
  const axis = axisOf(figure, cells.flatMap(({ one, other }) => [one, other]), words);
  const lines = cells.map(({ one, other }) => {
    const named = one ? a : b, title = matchup(named.cycle, one ?? other);
    const pages = [[a, one], [b, other]].map(([side, row]) => row && pageOf(side.cycle, side.side.setting, row.pair));
    return line(title, [one, other], words, { axis, pages: pages.map((page) => page && new URL(page, root)) });
  });
  const name = words.figures[figure].name, others = lines.splice(CELLS);
  const tables = [table(`${name} of ${cells.length} cells, the largest difference first`, "Cell", axisLine(axis), lines)];
  if (others.length) {
    const rest = table(`${name} of the other cells`, "Cell", axisLine(axis), others);
    tables.push(make("details", {}, make("summary", {}, `The other ${others.length} of ${cells.length} cells`), rest));
  }
  return tables;
}

// A table of rows. `axis` is drawn above the plots if all rows have the same one.
function table(caption, first, axis, lines) {
  const heads = [first, axis ?? "A and B", "Median (95 % interval, n)"].map((words) => make("th", { scope: "col" }, words));
  heads[1].className = "wide";
  heads.push(make("th", { scope: "col", class: "n" }, "B − A"));
  return make("table", { class: "rows" },
    make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
}

// A row: what it is about, the two dots with the axis `below` them, both medians, their difference.
function line(title, rows, words, { axis, below = null, pages = [] }) {
  const { figure } = rows[0] ?? rows[1];
  return make("tr", {}, make("th", { scope: "row" }, title),
    make("td", { class: "wide" }, dumbbell(rows, axis), ...[below].filter(Boolean)),
    make("td", {}, ...rows.map((row, place) => median(row, place, words, pages[place], title))),
    make("td", { class: "n", "data-l": "B − A" }, differenceWords(...rows, figure, words),
      make("br"), make("small", {}, intervalsOf(...rows))));
}

function median(row, place, words, page, title) {
  const name = make("b", { class: place ? "cb" : "ca" }, SIDES[place]);
  if (!row) return make("div", {}, name, " not measured");
  const shown = medianWords(row, words), verdicts = [words.verdicts[row.verdict], words.settled[row.settled]];
  const about = [intervalWords(row, words), `n = ${row.n}`, ...verdicts].filter(Boolean).join(", ");
  const value = page ? make("a", { href: page, "aria-label": `${SIDES[place]}: ${title}: ${shown}` }, shown) : shown;
  return make("div", {}, name, " ", value, " ", make("small", {}, about));
}
