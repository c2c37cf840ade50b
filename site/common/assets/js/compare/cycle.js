// A published cycle by its summary: the words of its settings and services, and all its figures.

import { openTable } from "../rows.js";
import { pagesOf, readJson } from "../site.js";

const COLUMNS = ["setting", "pair", "service", "contender", "instance", "figure", "unit", "n", "median", "low", "high",
  "verdict", "at_least", "settled"];
const INSTANCES = { worse_off: ", worse-off instance", better_off: ", better-off instance", second: ", second client",
  both: ", both clients together" };
const known = new Map();

// The cycle `<campaign>/<cycle>`: { name, pages, summary, rows }. It is read once.
export function readCycle(name, root) {
  if (!known.has(name)) {
    known.set(name, read(name, root).catch((error) => {
      known.delete(name); // so that the next attempt asks again
      throw error;
    }));
  }
  return known.get(name);
}

async function read(name, root) {
  const pages = pagesOf(...name.split("/"));
  const [summary, table] = await Promise.all([
    readJson(new URL(`${pages}summary.json`, root)),
    openTable(new URL(`${pages}summary.parquet`, root)),
  ]);
  // Columns are only added to summaries: an early cycle may lack some.
  const columns = COLUMNS.filter((column) => table.names.includes(column));
  return { name, pages, summary, rows: await table.read({ columns }) };
}

// The shortest title of a setting that no other one has, as short_place of scripts/site/story/names.py has it.
export function settingTitle({ summary: { settings } }, name) {
  const setting = settings.find((one) => one.name === name);
  const forms = [(one) => `${one.rate_mbps}\u00a0Mbps`, (one) => /[^(]*(?=\)$)/.exec(one.heading)?.[0] ?? one.heading];
  const alone = (form) => settings.filter((one) => form(one) === form(setting)).length === 1;
  return setting ? forms.find(alone)?.(setting) ?? setting.heading : name;
}

// A pair in words, as Labels.pair of scripts/charts/chart_labels.py has it.
export function pairTitle(cycle, pair) {
  const parts = pair.split("~").map((part) => part.split("_"));
  if (parts.length === 1) return `${serviceTitle(cycle, pair)} alone`;
  const [[first], [second, count]] = parts;
  if (parts.length === 2 && first === second && !count) return `${serviceTitle(cycle, first)} against itself`;
  return parts.map(([service, count]) => several(cycle, service, count)).join(" against ");
}

// What a row is about, such as `A against B`.
export function matchup(cycle, { service, contender, instance }) {
  if (!contender) return `${serviceTitle(cycle, service)} alone`;
  const counts = new Map();
  for (const one of contender.split("~")) counts.set(one, (counts.get(one) ?? 0) + 1);
  const titles = [...counts].map(([one, count]) => several(cycle, one, count));
  const opponent = contender === service ? "itself" : titles.join(" and ");
  return `${serviceTitle(cycle, service)} against ${opponent}${INSTANCES[instance] ?? ""}`;
}

// The address of the page of a pair or a service alone, or of a setting; null if the cycle has no such page.
export function pageOf(cycle, setting, pair) {
  const kind = pair.includes("~") ? "pairs" : "solos";
  const page = pair ? `${kind}/${setting}/${pair}/` : `settings/${setting}/`;
  return cycle.summary.pages.includes(page) ? cycle.pages + page : null;
}

function several(cycle, service, count) {
  const title = serviceTitle(cycle, service);
  return Number(count ?? 1) > 1 ? `${count} × ${title}` : title;
}

function serviceTitle({ summary }, name) {
  return summary.services.find((service) => service.name === name)?.title ?? name;
}
