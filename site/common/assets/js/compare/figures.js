// Figures in words. compare/words.json has the unit, the factor and the decimals of every metric
// (scripts/figures/catalogue.yaml).

import { differenceOf, isBound } from "./matching.js";

const MINUS = "\u2212", AT_LEAST = "≥\u00a0", AT_MOST = "≤\u00a0";
const PERCENT = "%";

// A median with its unit.
export function medianWords(row, words) {
  if (!row || row.median === null) return "–";
  return `${isBound(row, row.median) ? AT_LEAST : ""}${valueWords(row.median, row.figure, words)}`;
}

// The interval of a median, or null.
export function intervalWords(row, words) {
  if (row.low === null || row.high === null) return null;
  const metric = words.figures[row.figure];
  return [row.low, row.high].map((end) => `${isBound(row, end) ? AT_LEAST : ""}${number(end, metric)}`).join(" to ");
}

// The second median minus the first, with its sign. Percents differ by percentage points. If one of them is a lower
// bound, so is the difference, up or down; of two bounds nobody knows.
export function differenceWords(one, other, figure, words) {
  const value = differenceOf(one, other);
  if (value === null) return "–";
  const [low, high] = [one, other].map((row) => isBound(row, row.median));
  if (low && high) return "–";
  const mark = high ? AT_LEAST : low ? AT_MOST : "";
  const metric = words.figures[figure], shown = number(Math.abs(value), metric);
  const sign = Number(shown.replaceAll(",", "")) === 0 ? "" : value < 0 ? MINUS : "+";
  return `${mark}${sign}${shown}${metric.unit === PERCENT ? "\u00a0points" : behind(metric.unit)}`;
}

// A value with its unit.
export function valueWords(value, figure, words) {
  return `${number(value, words.figures[figure])}${behind(words.figures[figure].unit)}`;
}

function number(value, { factor, decimals }) {
  const shown = Number((value * factor).toFixed(decimals)) || 0; // never −0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return shown.toLocaleString("en", digits).replace("-", MINUS);
}

// The unit behind a number.
function behind(unit) {
  return unit && `\u00a0${unit}`;
}
