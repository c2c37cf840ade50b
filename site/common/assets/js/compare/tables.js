// Draws what two sides have in common as tables.

import { make } from "../elements.js";
import { matchup, pageOf } from "./cycle.js";
import { differenceWords, intervalWords, medianWords } from "./figures.js";
import { differenceOf, intervalsOf, matchedCells, matchedSides } from "./matching.js";
import { rowsOf } from "./sides.js";

const SIDES = ["A", "B"];

// Two pairs, or services alone: a table for each service with all its figures.
export function pairTables(sides, words) {
  const [a, b] = sides;
  return matchedSides(rowsOf(a.cycle, a.side), rowsOf(b.cycle, b.side)).map(({ one, other }) => {
    const titles = [[a, one], [b, other]].map(([side, found]) => found && matchup(side.cycle, found.row));
    const caption = titles[0] === titles[1] ? titles[0]
      : titles.map((title, place) => `${SIDES[place]}: ${title ?? "not measured"}`).join("; ");
    const names = [...new Set([...(one?.figures.keys() ?? []), ...(other?.figures.keys() ?? [])])];
    const ordered = Object.keys(words.figures).filter((name) => names.includes(name));
    return table(caption, "Figure", ordered.map((name) =>
      line(words.figures[name].name, [one?.figures.get(name) ?? null, other?.figures.get(name) ?? null], words)));
  });
}

// Two settings: a figure of every cell, the largest difference first.
export function settingTable(sides, figure, words, root) {
  const [a, b] = sides;
  const cells = matchedCells(rowsOf(a.cycle, a.side), rowsOf(b.cycle, b.side), figure);
  const lines = cells.map(({ one, other }) => {
    const named = one ? a : b, title = matchup(named.cycle, one ?? other);
    const pages = [[a, one], [b, other]].map(([side, row]) => row && pageOf(side.cycle, side.side.setting, row.pair));
    return line(title, [one, other], words, pages.map((page) => page && new URL(page, root)));
  });
  return table(`${words.figures[figure].name} of ${lines.length} cells, the largest difference first`, "Cell", lines);
}

function table(caption, first, lines) {
  const number = (words) => make("th", { scope: "col", class: "n" }, words);
  const of = (side) => ["median", "95 % interval", "n"].map((word) => number(`${side} ${word}`));
  const heads = [make("th", { scope: "col" }, first), ...SIDES.flatMap(of),
    number("B − A"), make("th", { scope: "col" }, "Intervals")];
  const made = make("table", {},
    make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}

function line(title, rows, words, pages = [null, null]) {
  const cells = rows.flatMap((row, place) => [
    make("td", { class: "n" }, ...median(row, words, pages[place], `${SIDES[place]}: ${title}`)),
    make("td", { class: "n" }, intervalWords(row, words)),
    make("td", { class: "n" }, row ? String(row.n) : "–"),
  ]);
  const { figure } = rows[0] ?? rows[1];
  return make("tr", {}, make("th", { scope: "row" }, title), ...cells,
    make("td", { class: "n" }, differenceWords(differenceOf(...rows), figure, words)), make("td", {}, intervalsOf(...rows)));
}

function median(row, words, page, name) {
  const shown = medianWords(row, words), known = [words.verdicts[row?.verdict], words.settled[row?.settled]];
  const verdict = known.filter(Boolean).join(", ");
  const value = page ? make("a", { href: page, "aria-label": `${name}: ${shown}` }, shown) : shown;
  return verdict ? [value, make("br"), make("small", {}, verdict)] : [value];
}
