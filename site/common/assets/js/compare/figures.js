// Figures in words. compare/words.json has the unit, the factor and the decimals of every metric
// (scripts/figures/catalogue.yaml).

const MINUS = "\u2212";
const PERCENT = "%";

// A median with its unit.
export function medianWords(row, words) {
  if (!row || row.median === null) return "–";
  const bound = row.at_least !== null && row.median >= row.at_least ? "≥\u00a0" : "";
  return `${bound}${valueWords(row.median, row.figure, words)}`;
}

// The interval of a median, or null.
export function intervalWords(row, words) {
  if (row.low === null || row.high === null) return null;
  return [row.low, row.high].map((value) => number(value, words.figures[row.figure])).join(" to ");
}

// A difference with its sign. Percents differ by percentage points.
export function differenceWords(value, figure, words) {
  if (value === null) return "–";
  const metric = words.figures[figure], shown = number(Math.abs(value), metric);
  const sign = Number(shown.replaceAll(",", "")) === 0 ? "" : value < 0 ? MINUS : "+";
  return `${sign}${shown}${metric.unit === PERCENT ? "\u00a0points" : behind(metric.unit)}`;
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
