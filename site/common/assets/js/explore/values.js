// The values of tables: as words, in order, and as numbers.

const WHOLE = new Intl.NumberFormat("en");
const FRACTION = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const NUMBERS = new Set(["int32", "int64", "double"]);

export function isNumeric(column) {
  return NUMBERS.has(column.type);
}

// A row without integers of 64 bits, where a number holds them exactly. Times in ns stay as they are.
export function plain(row) {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "bigint" && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))) {
      row[name] = Number(value);
    }
  }
  return row;
}

export function wordsOf(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "bigint" || Number.isInteger(value)) return WHOLE.format(value);
  if (typeof value === "number") return FRACTION.format(value);
  return value === "" ? "(empty)" : value;
}

// Where two values stand in ascending order: negative, 0 or positive.
export function order(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

// Rows in the order of a column; those without a value are last in both directions. Equal rows keep their order.
export function sorted(rows, column, descending) {
  const known = rows.filter((row) => !isMissing(row[column]));
  const sign = descending ? -1 : 1;
  known.sort((one, other) => sign * order(one[column], other[column]));
  return [...known, ...rows.filter((row) => isMissing(row[column]))];
}

export function distinct(rows, column) {
  const found = new Set(rows.map((row) => row[column]).filter((value) => !isMissing(value)));
  return [...found].sort(order);
}

export function isMissing(value) {
  return value === null || value === undefined;
}
