// The axes of a plot: a number, or the values of a column side by side.

import { named } from "./titles.js";
import { distinct, isMissing, isNumeric, wordsOf } from "./values.js";

const TICKS = 6;
export const MOST_BANDS = 40;

// Shares have one axis everywhere, from 0 to 200 %, on which 90 to 110 % are fair.
const SHARE = /^share(_|$)(?!change|over)/, MOST_SHARE = 2, FAIR = [0.9, 1.1];

// { ticks: [{ at, words }], at: row => position in [0, 1] or null, zone: the ends of the fair zone }. `at` spreads the
// rows of a band by `place`. A share above 200 % is at the end.
export function axisOf(column, rows) {
  if (SHARE.test(column.name) && column.unit === "fraction") return shareAxis(column.name, rows);
  return isNumeric(column) ? numberAxis(column.name, rows) : bandAxis(column, rows);
}

function shareAxis(name, rows) {
  const place = (value) => Math.min(1, value / MOST_SHARE);
  const ticks = [0, 0.5, 1, 1.5, 2].map((value) => ({ at: place(value), words: `${100 * value} %` }));
  if (rows.some((row) => Number(row[name]) > MOST_SHARE)) ticks.at(-1).words = `≥\u00a0${ticks.at(-1).words}`;
  return { ticks, at: (row) => isMissing(row[name]) ? null : place(Number(row[name])), zone: FAIR.map(place) };
}

function numberAxis(name, rows) {
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    if (isMissing(row[name])) continue;
    low = Math.min(low, Number(row[name]));
    high = Math.max(high, Number(row[name]));
  }
  if (low > high) return { ticks: [], at: () => null };
  const values = ticksFrom(low >= 0 && low < high / 2 ? 0 : low, high);
  const [first, last] = [values[0], values.at(-1)];
  const place = (value) => (value - first) / (last - first);
  const ticks = values.map((value) => ({ at: place(value), words: wordsOf(value) }));
  return { ticks, at: (row) => isMissing(row[name]) ? null : place(Number(row[name])) };
}

// Round numbers from at or below `low` to at or above `high`.
export function ticksFrom(low, high) {
  const rough = (high - low || Math.abs(high) || 1) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const first = Math.floor(low / step + 1e-9), last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

function bandAxis(column, rows) {
  const { name } = column;
  const values = distinct(rows, name);
  const places = new Map(values.map((value, place) => [value, place]));
  const ticks = values.map((value, place) => ({ at: (place + 0.5) / values.length, words: named(column, value) }));
  const at = (row, number) => isMissing(row[name]) ? null
    : (places.get(row[name]) + 0.5 + 0.6 * (spread(number) - 0.5)) / values.length;
  return { ticks, at, bands: values.length };
}

// The golden ratio spreads successive numbers evenly over [0, 1].
function spread(number) {
  return (number * 0.618033988749895) % 1;
}
