// Figures in words, as scripts/site/root/figure_words.py has them; compare/words.json has its words.

const MINUS = "\u2212";
const PERCENT = "fraction", INDEX = "index";

// The unit of a row. Some fractions are indices, which nobody writes as percent.
export function unitOf(row, words) {
  return words.indices.includes(row.figure) ? INDEX : row.unit;
}

// A median with its unit and, if the row has one, its verdict.
export function medianWords(row, words) {
  if (!row || row.median === null) return "–";
  const bound = row.at_least !== null && row.median >= row.at_least ? "≥\u00a0" : "";
  return `${bound}${number(row.median, unitOf(row, words), words)}${behind(unitOf(row, words), words)}`;
}

export function intervalWords(row, words) {
  if (!row || row.low === null || row.high === null) return "–";
  const size = Math.max(Math.abs(row.low), Math.abs(row.high));
  return [row.low, row.high].map((value) => number(value, unitOf(row, words), words, size)).join(" to ");
}

// A difference with its sign. Percents differ by percentage points.
export function differenceWords(value, unit, words) {
  if (value === null) return "–";
  const shown = number(Math.abs(value), unit, words);
  const sign = Number(shown.replaceAll(",", "")) === 0 ? "" : value < 0 ? MINUS : "+";
  return `${sign}${shown}${unit === PERCENT ? "\u00a0points" : behind(unit, words)}`;
}

// Percents from 10 on and values from 100 on are whole; others have one or two decimals.
// largest: the value that decides the decimals, the same for both ends of an interval
function number(value, unit, words, largest = Math.abs(value)) {
  const factor = words.units[unit]?.[1] ?? 1, size = largest * factor;
  const decimals = unit === PERCENT ? (size < 9.95 ? 1 : 0) : size >= words.large ? 0 : 2;
  const shown = Number((value * factor).toFixed(decimals)) || 0; // never −0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return shown.toLocaleString("en", digits).replace("-", MINUS);
}

// The unit behind a number.
function behind(unit, words) {
  return unit === INDEX ? "" : `\u00a0${words.units[unit]?.[0] ?? unit}`;
}
