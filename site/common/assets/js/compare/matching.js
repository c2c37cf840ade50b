// Which row of one side stands beside which row of the other.

const keyOf = ({ service, contender, instance }) => [service, contender, instance].join(" ");

// The figures of a pair beside those of another: [{ one, other }], each a map from figure to row, or null.
// The same service against the same one stands together; then the same service; then what is left, in order.
export function matchedSides(ones, others) {
  const left = sidesOf(ones), right = sidesOf(others), found = [];
  const rules = [(a, b) => a.key === b.key, (a, b) => a.service === b.service, () => true];
  for (const rule of rules) {
    for (const one of [...left]) {
      const other = right.find((candidate) => rule(one, candidate));
      if (!other) continue;
      found.push({ one, other });
      left.splice(left.indexOf(one), 1);
      right.splice(right.indexOf(other), 1);
    }
  }
  return [...found, ...left.map((one) => ({ one, other: null })), ...right.map((other) => ({ one: null, other }))];
}

// A figure of every cell of two settings: [{ one, other, difference }], the largest difference first.
// Cells that one of them lacks are last.
export function matchedCells(ones, others, figure) {
  const cells = (rows) => new Map(rows.filter((row) => row.figure === figure && row.instance !== "better_off")
    .map((row) => [keyOf(row), row]));
  const left = cells(ones), right = cells(others);
  const found = [...new Set([...left.keys(), ...right.keys()])].sort().map((key) => {
    const one = left.get(key) ?? null, other = right.get(key) ?? null;
    return { one, other, difference: differenceOf(one, other) };
  });
  const size = ({ difference }) => difference === null ? -1 : Math.abs(difference);
  return found.sort((a, b) => size(b) - size(a));
}

// The second median minus the first, or null.
export function differenceOf(one, other) {
  const known = [one, other].every((row) => row && row.median !== null);
  return known ? other.median - one.median : null;
}

// Whether a value of a row is a lower bound: all are from `at_least` on.
export function isBound(row, value) {
  return row.at_least !== null && value >= row.at_least;
}

// Whether two intervals overlap, in words. Below six trials there is no interval. One that ends at a lower bound may
// reach further.
export function intervalsOf(one, other) {
  if (!one || !other) return "–";
  if ([one, other].some((row) => row.low === null || row.high === null)) return "too few trials";
  const [lower, upper] = one.high < other.low ? [one, other] : [other, one];
  if (lower.high >= upper.low) return "overlap";
  return isBound(lower, lower.high) ? "–" : "apart";
}

function sidesOf(rows) {
  const found = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!found.has(key)) found.set(key, { key, service: row.service, row, figures: new Map() });
    found.get(key).figures.set(row.figure, row);
  }
  return [...found.values()];
}
