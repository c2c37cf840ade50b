// The list of filters: a column, an operator and a value each.

import { byId, make, setOptions } from "../elements.js";
import { OPERATORS, operatorsOf } from "./filters.js";
import { columnWords } from "./titles.js";
import { distinct, isNumeric } from "./values.js";

const MOST_SUGGESTED = 200;

export function drawFilters(view, table, change) {
  const where = view.where.map((filter) => ({ ...filter }));
  const changed = () => change({ where: where.map((filter) => ({ ...filter })) });
  const lines = where.map((filter, place) => line(filter, place, table, changed, () => {
    where.splice(place, 1);
    changed();
    drawFilters({ where }, table, change);
    byId("add-filter").focus();
  }));
  byId("filters").replaceChildren(...lines);
  byId("add-filter").onclick = () => {
    where.push({ column: table.columns[0].name, operator: "is", value: "" });
    changed();
    drawFilters({ where }, table, change);
    byId(`filter-${where.length - 1}-column`).focus();
  };
}

// Offers the values that a column of words has.
export function suggest(view, rows, columns) {
  view.where.forEach(({ column }, place) => {
    const found = columns.find((one) => one.name === column);
    const values = isNumeric(found) ? [] : distinct(rows, column).slice(0, MOST_SUGGESTED);
    byId(`filter-${place}-values`)?.replaceChildren(...values.map((value) => make("option", { value: String(value) })));
  });
}

function line(filter, place, table, changed, remove) {
  const id = (part) => `filter-${place}-${part}`, name = (part) => `Filter ${place + 1}: ${part}`;
  const column = make("select", { id: id("column"), "aria-label": name("column") });
  const operator = make("select", { id: id("operator"), "aria-label": name("comparison") });
  const value = make("input", { id: id("value"), "aria-label": name("value"), list: id("values"), autocomplete: "off" });
  const found = () => table.columns.find((one) => one.name === filter.column);
  const showOperators = () => {
    const choices = operatorsOf(found());
    if (!choices.some(([one]) => one === filter.operator)) filter.operator = "is";
    setOptions(operator, choices, filter.operator);
    value.hidden = Boolean(OPERATORS[filter.operator].unary);
  };
  setOptions(column, table.columns.map((one) => [one.name, columnWords(one)]), filter.column);
  value.value = filter.value;
  showOperators();
  const listen = (control, key) => control.addEventListener("change", () => {
    filter[key] = control.value;
    if (key === "column") filter.value = value.value = "";
    showOperators();
    changed();
  });
  listen(column, "column"), listen(operator, "operator"), listen(value, "value");
  const button = make("button", { type: "button", "aria-label": name("remove"), onclick: remove }, "Remove");
  return make("li", {}, column, operator, value, make("datalist", { id: id("values") }), button);
}
