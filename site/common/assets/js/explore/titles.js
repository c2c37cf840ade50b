// The titles and colours of services, and the words of columns and tables. Addresses and files have their names.

import { wordsOf } from "./values.js";

const OF_SERVICES = new Set(["service", "incumbent", "contender", "alpha", "beta", "gamma"]);
const SAID = { n: "Trials that count", share: "MmF share", rtt: "RTT", low: "low end", high: "high end",
  p05: "5th percentile", p25: "25th percentile", p75: "75th percentile", p95: "95th percentile", p99: "99th percentile" };
const UNITS = new Set(["mbps", "kbps", "ms", "s", "ns"]);
const OF_A_FIGURE = /_(median|mean|low|high|p\d\d|q25|q75|n)(?=_|$)/;
let titles = new Map(), colours = new Map();

export function setServices(dataset) {
  titles = new Map(Object.entries(JSON.parse(dataset.titles)));
  colours = new Map(Object.entries(JSON.parse(dataset.colours)));
}

// A column in words without its unit: `queueing_delay_ms_median` is `Queueing delay, median`.
export function columnTitle({ name, unit }) {
  const [, statistic] = name.match(OF_A_FIGURE) ?? [];
  const base = statistic ? name.replace(OF_A_FIGURE, "") : name;
  const parts = base.split("_").filter((part) => !(unit && UNITS.has(part)));
  const words = capital(SAID[base] ?? parts.map((part) => part === "rtt" ? SAID.rtt : part).join(" "));
  if (!statistic) return words;
  return `${words}, ${statistic === "n" ? "trials" : SAID[statistic] ?? statistic}`;
}

// A column with its unit, as lists and axes name it.
export function columnWords(column) {
  return unitOf(column) ? `${columnTitle(column)} (${unitOf(column)})` : columnTitle(column);
}

// The unit that is said. A fraction has none.
export function unitOf({ unit }) {
  return unit === "fraction" ? "" : unit;
}

export function tableTitle(name) {
  return capital(name.replaceAll("_", " "));
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

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
