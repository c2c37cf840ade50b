// The titles and colours of services in plots. The table shows names, because filters compare these.

import { wordsOf } from "./values.js";

const OF_SERVICES = new Set(["service", "incumbent", "contender", "alpha", "beta", "gamma"]);
let titles = new Map(), colours = new Map();

export function setServices(dataset) {
  titles = new Map(Object.entries(JSON.parse(dataset.titles)));
  colours = new Map(Object.entries(JSON.parse(dataset.colours)));
}

// A value of a column in words.
export function named(column, value) {
  if (!OF_SERVICES.has(column.name) || !value) return wordsOf(value);
  return value.split("~").map(titleOf).join(" and ");
}

export function titleOf(service) {
  return titles.get(service) ?? service;
}

// The colour of a value of a column, or null if it is no service.
export function colouredBy(column, value) {
  return OF_SERVICES.has(column.name) ? colourOf(value) : null;
}

export function colourOf(service) {
  return colours.get(service) ?? null;
}
