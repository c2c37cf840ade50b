// The titles of services in plots. The table shows names, because filters compare these.

import { wordsOf } from "./values.js";

const OF_SERVICES = new Set(["service", "incumbent", "contender", "alpha", "beta", "gamma"]);
let titles = {};

export function setTitles(found) {
  titles = found;
}

// A value of a column in words.
export function named(column, value) {
  if (!OF_SERVICES.has(column.name) || !value) return wordsOf(value);
  return value.split("~").map((name) => titles[name] ?? name).join(" and ");
}
