// Filters: a column, an operator and a value. A missing value passes no filter except `empty`, as in SQL.

import { isMissing, isNumeric } from "./values.js";

const EVERY = ["string", "bool", "int32", "int64", "double"];
const NUMBERS = ["int32", "int64", "double"];
const BOOLEANS = new Map([["true", true], ["yes", true], ["false", false], ["no", false]]);
const compared = (test) => (value, wanted) => !isMissing(value) && test(value, wanted);

// `==` because a value of 64 bits may be a BigInt, and what was asked for a number.
export const OPERATORS = {
  __proto__: null,  // An address may ask for an operator named `constructor`.
  is: { words: "is", types: EVERY, test: compared((value, wanted) => value == wanted) },
  not: { words: "is not", types: EVERY, test: compared((value, wanted) => value != wanted) },
  has: { words: "contains", types: ["string"], test: compared((value, wanted) => value.includes(wanted)) },
  under: { words: "<", types: NUMBERS, test: compared((value, wanted) => value < wanted) },
  most: { words: "≤", types: NUMBERS, test: compared((value, wanted) => value <= wanted) },
  over: { words: ">", types: NUMBERS, test: compared((value, wanted) => value > wanted) },
  least: { words: "≥", types: NUMBERS, test: compared((value, wanted) => value >= wanted) },
  empty: { words: "is missing", types: EVERY, unary: true, test: (value) => isMissing(value) || value === "" },
  known: { words: "is there", types: EVERY, unary: true, test: (value) => !isMissing(value) && value !== "" },
};

// The operators of a column as [name, words].
export function operatorsOf(column) {
  const found = Object.entries(OPERATORS).filter(([, operator]) => operator.types.includes(column.type));
  return found.map(([name, operator]) => [name, operator.words]);
}

// Why a filter cannot be applied, or null. A filter without its value is one that is not complete yet.
export function problemOf({ column, operator, value }, columns) {
  const found = columns.find((one) => one.name === column);
  if (!found) return `the table has no column ${column}`;
  if (!OPERATORS[operator]?.types.includes(found.type)) return `${column} cannot be compared by “${operator}”`;
  if (isComplete({ operator, value }) && !OPERATORS[operator].unary && parsed(value, found) === null) {
    return `“${value}” is not ${found.type === "bool" ? "true or false" : "a number"}, which ${column} needs`;
  }
  return null;
}

export function isComplete({ operator, value }) {
  return OPERATORS[operator].unary || value !== "";
}

// The rows that pass all filters.
export function passing(rows, filters, columns) {
  const tests = filters.filter(isComplete).map(({ column, operator, value }) => {
    const wanted = parsed(value, columns.find((one) => one.name === column));
    return (row) => OPERATORS[operator].test(row[column], wanted);
  });
  return rows.filter((row) => tests.every((test) => test(row)));
}

// A value as the column has them, or null.
function parsed(value, column) {
  if (column.type === "bool") return BOOLEANS.get(value) ?? null;
  if (!isNumeric(column)) return value;
  if (column.type === "int64" && /^-?\d+$/.test(value)) return BigInt(value);
  const number = Number(value);
  return value.trim() === "" || Number.isNaN(number) ? null : number;
}
