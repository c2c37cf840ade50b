// Two medians with their intervals on one axis.

import { make } from "../elements.js";
import { element, ticksTo } from "../plot.js";
import { valueWords } from "./figures.js";

const WIDTH = 200, HEIGHTS = [6, 14], FEW = 6;

// The axis of a figure: { low, high, ends: what stands at its ends, fair: whether it is that of shares }.
export function axisOf(figure, rows, words) {
  if (figure === "share") {
    const most = beyond(rows) ? "≥\u00a0200 %" : "200 %";
    return { low: 0, high: 2, ends: ["0", "100 = fair", most], fair: true };
  }
  const values = rows.filter(Boolean).flatMap(({ median, low, high }) => [median, low, high]);
  const known = values.filter((value) => value !== null);
  const least = Math.min(0, ...known), most = Math.max(0, ...known);
  const low = least < 0 ? -ticksTo(-least, 4).at(-1) : 0, high = most > 0 || !least ? ticksTo(most, 4).at(-1) : 0;
  return { low, high, ends: [low, high].map((value) => valueWords(value, figure, words)), fair: false };
}

// Whether a share is larger than its axis, at whose end it is drawn.
function beyond(rows) {
  return rows.some((row) => row && Math.max(row.median, row.high) > 2);
}

// The ends of an axis in words.
export function axisLine({ ends }) {
  return make("p", { class: "axis" }, ...ends.map((words) => make("span", {}, words)));
}

// The drawing of two rows of one figure; a row that is missing has no dot, one of too few trials a hollow one.
export function dumbbell(rows, axis) {
  const place = (value) => WIDTH * Math.min(1, Math.max(0, (value - axis.low) / (axis.high - axis.low)));
  const marks = rows.flatMap((row, side) => row && row.median !== null ? marksOf(row, side, place) : []);
  const known = rows.every((row) => row && row.median !== null);
  if (known) {
    const [a, b] = rows.map(({ median }) => place(median));
    marks.unshift(element("path", { class: "e", d: `M${a} ${HEIGHTS[0]}L${b} ${HEIGHTS[1]}` }));
  }
  return element("svg", { class: axis.fair ? "st" : "st z", viewBox: `0 0 ${WIDTH} 20`, preserveAspectRatio: "none",
    "aria-hidden": "true" }, marks);
}

function marksOf({ median, low, high, n }, side, place) {
  const colour = side ? "pb" : "pa", y = HEIGHTS[side], dot = `M${place(median)} ${y}h.1`;
  const marks = [element("path", { class: `d ${colour}`, d: dot })];
  if (n < FEW) marks.push(element("path", { class: "h", d: dot }));
  if (low !== null && high !== null) {
    marks.unshift(element("path", { class: `i ${colour}`, d: `M${place(low)} ${y}H${place(high)}` }));
  }
  return marks;
}
