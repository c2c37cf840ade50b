/*! Contains hyparquet (Hyperparam) and fzstd (Copyright (c) 2020 Arjun Barrett), both under the MIT License. */
// The page on which readers choose rows of the published tables, see them as a table and as a plot, and keep them as CSV.

import { byId, make } from "../elements.js";
import { save } from "../save.js";
import { FROM_A_FOLDER, reasonOf, rootOf, sizeOf } from "../site.js";
import { fileOf, readArchive, refusal } from "./archive.js";
import { drawControls } from "./controls.js";
import { csvOf } from "./csv.js";
import { suggest } from "./filter_controls.js";
import { passing, problemOf } from "./filters.js";
import { fetched, rowsOf } from "./reading.js";
import { linksOf, LINKING } from "./row_links.js";
import { PAGE_ROWS, rowsTable } from "./rows_table.js";
import { scatter } from "./scatter.js";
import { drawSeries, withTrial } from "./series_controls.js";
import { columnTitle, setServices, tableTitle } from "./titles.js";
import { sorted, wordsOf } from "./values.js";
import { addressOf, viewOf } from "./view.js";

const page = byId("explore"), root = rootOf(page);
const LEAST_WIDTH = 340, MOST_WIDTH = 1100;
let archive, view;
let run = 0; // counts what was asked for, so that a late answer to an earlier question is not shown

async function start() {
  say("Reading the list of tables …");
  archive = await readArchive(root, page.dataset);
  setServices(page.dataset);
  page.hidden = false;
  window.addEventListener("popstate", restore);
  return restore();
}

function restore() {
  const { view: found, problems } = viewOf(location.search, archive);
  view = found;
  warn(problems);
  drawControls(view, archive, change);
  drawSeries(view, archive, root, change);
  return show();
}

// Takes a change by a reader into the view and into the address.
function change(part) {
  const keeps = ["page", "one", "other", "columns", "x", "y", "colour"];
  const first = Object.keys(part).every((key) => keeps.includes(key)) ? {} : { page: 1 };
  view = { ...view, ...first, ...part };
  history.pushState(null, "", addressOf(view, archive));
  const table = archive.tables.get(view.table);
  warn(view.where.map((filter) => problemOf(filter, table.columns)).filter(Boolean));
  if ("table" in part) drawControls(view, archive, change);
  if ("one" in part || "other" in part) drawSeries(view, archive, root, change);
  show();
}

async function show() {
  const mine = ++run, started = performance.now(), before = fetched.bytes, drawn = view;
  byId("csv").disabled = true;
  say("Reading rows …");
  try {
    const all = await read();
    if (mine !== run) return;
    const { columns } = archive.tables.get(view.table);
    const usable = view.where.filter((filter) => !problemOf(filter, columns));
    const found = ordered(passing(all, usable, columns));
    suggest(view, all, columns);
    drawRows(found);
    drawPlot(found, all);
    byId("csv").onclick = () => keep(found, drawn);
    byId("csv").disabled = false;
    const size = fetched.bytes === before ? "nothing new" : sizeOf(fetched.bytes - before);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    say(`${count(found.length)} of ${count(all.length)} rows of ${view.table}. Read ${size} in ${seconds} s.`);
  } catch (error) {
    if (mine !== run) return;
    byId("rows").replaceChildren();
    byId("plot").replaceChildren();
    say(`The rows could not be shown: ${reasonOf(error)}.`);
  }
}

async function read() {
  if (!view.cycles.length) throw new Error("no cycle is chosen");
  const files = view.cycles.map((name) => fileOf(archive.cycles.get(name), view.table)).filter(Boolean);
  if (!files.length) throw new Error(`the chosen cycles have no table ${view.table}`);
  const problem = refusal(files.reduce((sum, file) => sum + file.rows, 0));
  if (problem) throw new Error(problem.replace(/\.$/, ""));
  const names = archive.tables.get(view.table).columns.map((column) => column.name);
  const filtered = view.where.map((filter) => filter.column);
  const used = [...view.columns, ...filtered, sortColumn(), ...plotted(), ...LINKING];
  return rowsOf(view, [...new Set(used)].filter((name) => names.includes(name)), archive, root);
}

// The columns of the plot, with the intervals of medians and the number of trials.
function plotted() {
  const axes = [view.x, view.y].flatMap((name) =>
    name.includes("_median") ? [name, ...["_low", "_high"].map((end) => name.replace("_median", end))] : [name]);
  return [...axes, view.colour, "n"];
}

function ordered(rows) {
  return view.sort ? sorted(rows, sortColumn(), view.sort.startsWith("-")) : rows;
}

function sortColumn() {
  return view.sort.replace(/^-/, "");
}

function drawRows(found) {
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS)), shown = Math.min(view.page, pages);
  const first = (shown - 1) * PAGE_ROWS, rows = found.slice(first, first + PAGE_ROWS);
  const shownRows = `rows ${count(first + 1)} to ${count(first + rows.length)} of ${count(found.length)}`;
  const caption = `${tableTitle(view.table)}: ${found.length ? shownRows : "no row passes the filters"}`;
  const { columns } = archive.tables.get(view.table);
  const focused = document.activeElement?.dataset;
  const table = rowsTable({
    rows, caption, root, sort: view.sort, chosen: [view.one, view.other],
    columns: view.columns.map((name) => columns.find((column) => column.name === name)),
    onSort: (name) => change({ sort: view.sort === name ? `-${name}` : name }),
    onSeries: (name) => change(withTrial(view, name)),
  });
  byId("rows").replaceChildren(table);
  // The button that was pressed is a new one now.
  for (const key of ["column", "trial"]) {
    if (focused?.[key]) table.querySelector(`[data-${key}="${CSS.escape(focused[key])}"]`)?.focus();
  }
  drawPager(shown, pages);
}

function drawPager(shown, pages) {
  byId("pager").hidden = pages === 1;
  byId("pages").textContent = `Page ${count(shown)} of ${count(pages)}`;
  for (const [id, target] of [["before", shown - 1], ["after", shown + 1]]) {
    byId(id).disabled = target < 1 || target > pages;
    byId(id).onclick = () => change({ page: target });
  }
}

function drawPlot(found, all) {
  const columns = new Map(archive.tables.get(view.table).columns.map((column) => [column.name, column]));
  const place = byId("plot"), [x, y, colour] = [view.x, view.y, view.colour].map((name) => columns.get(name) ?? null);
  byId("near").replaceChildren();
  if (!x || !y) return place.replaceChildren(make("p", { class: "muted" }, "This table has no number to plot."));
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, place.clientWidth));
  const drawn = scatter({ rows: found, all, x, y, colour, width, onNear: (row) => row && drawNear(row) });
  if (drawn.problem) return place.replaceChildren(make("p", { class: "muted" }, `There is no plot: ${drawn.problem}.`));
  return place.replaceChildren(drawn.legend, drawn.svg);
}

function drawNear(row) {
  const wanted = new Set([...LINKING.slice(1), ...plotted()]);
  const names = [...wanted].filter((name) => row[name] !== undefined);
  const { columns } = archive.tables.get(view.table);
  const title = (name) => columnTitle(columns.find((column) => column.name === name));
  const words = names.map((name) => `${title(name)}: ${wordsOf(row[name])}`).join(", ");
  const links = linksOf(row).flatMap(({ address, name, words: shown }) =>
    [" ", make("a", { href: new URL(address, root), "aria-label": name }, shown)]);
  byId("near").replaceChildren(words, ...links);
}

function keep(found, { table, columns }) {
  save(new Blob([csvOf(found, columns)], { type: "text/csv;charset=utf-8" }), `${table}.csv`);
  say(`${count(found.length)} rows are offered as ${table}.csv.`);
}

function warn(problems) {
  byId("problems").hidden = !problems.length;
  byId("problems").replaceChildren(...problems.map((problem) => make("p", {}, `Not used, ${problem}.`)));
}

function say(words) {
  byId("status").textContent = words;
}

function count(number) {
  return number.toLocaleString("en");
}

if (location.protocol === "file:") say(FROM_A_FOLDER);
else start().catch((error) => say(`The page cannot work: ${reasonOf(error)}.`));
