// Fills the controls of the page and tells what a reader changes.

import { byId, make, setOptions } from "../elements.js";
import { firstColumns, firstPlot } from "./archive.js";
import { drawFilters } from "./filter_controls.js";
import { columnTitle, columnWords, tableTitle } from "./titles.js";
import { isNumeric } from "./values.js";

// Shows a view in the controls. change(part of a view) is called for every change by a reader.
export function drawControls(view, archive, change) {
  const table = archive.tables.get(view.table);
  setOptions(byId("table"), [...archive.tables.keys()].map((name) => [name, tableTitle(name)]), view.table);
  byId("table").onchange = (event) => change(otherTable(event.target.value, archive));
  byId("about-table").textContent = `${table.description} ${sentence(table.grain)}`;
  drawCycles(view, archive, change);
  drawColumns(view, table, archive, change);
  drawFilters(view, table, change);
  drawAxes(view, table, change);
}

function otherTable(name, archive) {
  const table = archive.tables.get(name);
  return { table: name, columns: firstColumns(table), where: [], sort: "", page: 1, ...firstPlot(table) };
}

// The latest cycle comes first: it is the one that is shown at the beginning.
function drawCycles(view, archive, change) {
  const listed = [...archive.cycles].reverse().sort(([name], [other]) => (other === archive.latest) - (name === archive.latest));
  const boxes = listed.map(([name, cycle]) => {
    const words = archive.withdrawn.has(name) ? " (withdrawn)" : cycle.current ? "" : " (corrected since)";
    return checkbox(name, `${cycle.campaign} ${cycle.cycle}${words}`, view.cycles.includes(name));
  });
  byId("cycles").replaceChildren(...boxes);
  byId("cycles").onchange = () => change({ cycles: checked("cycles") });
}

function drawColumns(view, table, archive, change) {
  const boxes = table.columns.map((column) =>
    checkbox(column.name, columnTitle(column), view.columns.includes(column.name),
      `${column.name}: ${column.meaning}`));
  byId("columns").replaceChildren(...boxes);
  const show = (columns) => change({ columns: columns.length ? columns : firstColumns(table) });
  byId("columns").onchange = () => show(checked("columns"));
  const pick = (columns) => () => {
    for (const box of byId("columns").querySelectorAll("input")) box.checked = columns.includes(box.value);
    show(columns);
  };
  byId("every-column").onclick = pick(table.columns.map((column) => column.name));
  byId("first-columns").onclick = pick(firstColumns(archive.tables.get(table.name)));
}

function drawAxes(view, table, change) {
  const names = (columns) => columns.map((column) => [column.name, columnWords(column)]);
  const every = names(table.columns);
  const choices = { x: every, y: names(table.columns.filter(isNumeric)), colour: [["", "none"], ...every] };
  for (const axis of ["x", "y", "colour"]) {
    const select = byId(axis);
    setOptions(select, choices[axis], view[axis]);
    select.onchange = () => change({ [axis]: select.value });
  }
}

function checkbox(value, words, ticked, meaning) {
  const box = make("input", { type: "checkbox", value, checked: ticked });
  const label = make("label", { title: meaning }, box, ` ${words}`);
  return make("li", {}, label);
}

function checked(id) {
  return [...byId(id).querySelectorAll("input:checked")].map((box) => box.value);
}

function sentence(words) {
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}
