// Divides rows into groups that a plot colours: by the values of a column, or by five ranges of a number.

import { colouredBy, named } from "./titles.js";
import { distinct, isMissing, isNumeric, order, wordsOf } from "./values.js";

export const MOST_GROUPS = 16;
const RANGES = 5;

const UNDECIDED = "hollow";
const TONES = { losing: "lo", fair: "fair", winning: "wi" };
const WORDS = { losing: "loses", fair: "fair", winning: "wins", undecided: "undecided" };

// A function from a row to its group, and the names of the groups; colours of those that are services, tones of verdicts.
// `all` are the unfiltered rows, so that a group keeps its colour under every filter. If there are too many groups,
// the last ones are one.
export function groupsBy(column, all) {
  if (!column) return { names: [], colours: [], of: () => 0 };
  if (column.name === "verdict" && column.type === "string") return verdicts();
  const values = distinct(all, column.name);
  if (isNumeric(column) && values.length > MOST_GROUPS) return ranges(column.name, all);
  const own = values.length > MOST_GROUPS ? values.slice(0, MOST_GROUPS - 1) : values;
  const names = own.map((value) => named(column, value));
  const rest = values.length > own.length || all.some((row) => isMissing(row[column.name]));
  if (rest) names.push("others");
  const places = new Map(own.map((value, place) => [value, place]));
  const colours = own.map((value) => colouredBy(column, value));
  return { names, colours, of: (row) => places.get(row[column.name]) ?? own.length };
}

// Verdicts in words and their tones; what is undecided or has no verdict is hollow.
function verdicts() {
  const values = Object.keys(WORDS), names = [...Object.values(WORDS), "too few trials, or no verdict"];
  const tones = names.map((_, place) => TONES[values[place]] ?? UNDECIDED);
  const of = (row) => values.includes(row.verdict) ? values.indexOf(row.verdict) : values.length;
  return { names, colours: [], tones, of };
}

// As many rows in each range as in the others, where values are not equal.
function ranges(name, all) {
  const values = all.map((row) => row[name]).filter((value) => !isMissing(value)).sort(order);
  const bounds = Array.from({ length: RANGES }, (_, place) => values[Math.floor((place * values.length) / RANGES)]);
  const lows = [...new Set(bounds)];
  const names = lows.map((low, place) =>
    `${wordsOf(low)} to ${wordsOf(lows[place + 1] ?? values.at(-1))}`);
  const missing = all.some((row) => isMissing(row[name]));
  if (missing) names.push("missing");
  const of = (row) => isMissing(row[name]) ? lows.length : lows.findLastIndex((low) => row[name] >= low);
  return { names, colours: [], of };
}
