// What the page shows, as the query string of its address says it.

import { queryOf } from "../site.js";
import { firstColumns, firstPlot } from "./archive.js";
import { problemOf } from "./filters.js";
import { isNumeric } from "./values.js";

const DEFAULT_TABLE = "pairs", AXES = ["x", "y", "colour"];

// The view of an address, and what is wrong in the address. What is wrong is left out; the rest holds.
// A view: { table, cycles, columns, where: [{ column, operator, value }], sort, page, x, y, colour, one, other }.
export function viewOf(query, archive) {
  const asked = new URLSearchParams(query), problems = [];
  const table = tableOf(asked.get("table"), archive, problems);
  const names = table.columns.map((column) => column.name);
  const known = (name, use) => knownColumn(name, names, use, problems);
  const columns = list(asked.get("columns")).filter((name) => known(name, "columns"));
  const sort = asked.get("sort") ?? "";
  const view = {
    table: table.name,
    cycles: cyclesOf(asked.get("cycles"), archive, problems),
    columns: columns.length ? columns : firstColumns(table),
    where: asked.getAll("where").map(filterOf).filter((filter) => usable(filter, table, problems)),
    sort: known(sort.replace(/^-/, ""), "sort") ? sort : "",
    page: pageOf(asked.get("page"), problems),
    one: asked.get("one") ?? "",
    other: asked.get("other") ?? "",
  };
  for (const axis of AXES) view[axis] = known(asked.get(axis) ?? "", axis) ? asked.get(axis) : "";
  if (view.y && !isNumeric(table.columns.find((column) => column.name === view.y))) {
    problems.push(`y: ${view.y} is not a number`);
    view.y = "";
  }
  const first = firstPlot(table);
  if (!view.x && !view.y) return { view: { ...view, ...first }, problems };
  view.x ||= first.x;
  view.y ||= first.y;
  return { view, problems };
}

// The query string of a view. Columns that the table shows first are left out.
export function addressOf(view, archive) {
  const first = firstColumns(archive.tables.get(view.table)).join();
  return queryOf([
    ["table", view.table],
    ["cycles", view.cycles.join()],
    ["columns", view.columns.join() === first ? "" : view.columns.join()],
    ...view.where.map(({ column, operator, value }) => ["where", `${column}:${operator}:${value}`]),
    ["sort", view.sort],
    ["page", view.page === 1 ? "" : String(view.page)],
    ...[...AXES, "one", "other"].map((key) => [key, view[key]]),
  ]);
}

function tableOf(name, archive, problems) {
  const fallback = archive.tables.get(DEFAULT_TABLE) ?? archive.tables.values().next().value;
  if (name === null) return fallback;
  if (!archive.tables.has(name)) problems.push(`table: there is no table “${name}”, so ${fallback.name} is shown`);
  return archive.tables.get(name) ?? fallback;
}

function cyclesOf(text, archive, problems) {
  const asked = list(text);
  const found = asked.filter((name) => archive.cycles.has(name));
  for (const name of asked) {
    if (!archive.cycles.has(name)) problems.push(`cycles: there is no cycle “${name}”`);
  }
  return asked.length ? found : [archive.latest].filter(Boolean);
}

function knownColumn(name, names, use, problems) {
  if (name && !names.includes(name)) problems.push(`${use}: the table has no column “${name}”`);
  return names.includes(name);
}

function filterOf(text) {
  const [column, operator = "", ...value] = text.split(":");
  return { column, operator, value: value.join(":") };
}

function usable(filter, table, problems) {
  const problem = problemOf(filter, table.columns);
  if (problem) problems.push(`where: ${problem}`);
  return !problem;
}

function pageOf(text, problems) {
  if (text === null) return 1;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  problems.push(`page: “${text}” is not a number of a page`);
  return 1;
}

function list(text) {
  return (text ?? "").split(",").filter(Boolean);
}
