// Draws rows as points. A library would bring zoom and themes that nobody asked for; this needs two axes and marks,
// obeys the policy of the site, and draws thousands of points as one path for each group.

import { make } from "../elements.js";
import { bandOf, baseAxis, chartOf, element, textOf, valueAxis } from "../plot.js";
import { axisOf, MOST_BANDS } from "./axes.js";
import { groupsBy } from "./groups.js";
import { columnTitle, columnWords } from "./titles.js";

const HEIGHT = 420, LEFT = 70, RIGHT = 28, TOP = 30, LETTER = 7.5, LONGEST_LABEL = 210;
const NEAR = 16;
const COLOURS = ["#1f7fc4", "#d55e00", "#886070", "#789880", "#b88820",
  "#7d6be0", "#509850", "#c74a55", "#6f8a2c", "#8a7565"];
// Outlines around 0, so that groups differ by shape as well.
const SHAPES = [
  "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "m-3-3h6v6h-6z", "m0-4.4l4 7h-8z",
  "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", "m0 4.4l4-7h-8z",
  "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z", "m-4.2-1.7h8.4v3.4h-8.4z", "m-1.7-4.2h3.4v8.4h-3.4z",
];

// The plot of rows, or words that say why there is none. `width` is that of its place, in pixels.
// all: the rows without filters; x, y: columns; colour: a column or null; onNear(row): the row under the pointer.
export function scatter({ rows, all, x, y, colour, width, onNear }) {
  const across = axisOf(x, rows), up = axisOf(y, rows), groups = groupsBy(colour, all);
  const many = `${columnTitle(x)} has more than ${MOST_BANDS} values: choose a number, or filter`;
  if (across.bands > MOST_BANDS) return { problem: many };
  const frame = frameOf(across, up, width);
  const points = rows.map((row, place) => pointOf(row, place, across, up, groups, frame)).filter(Boolean);
  if (!points.length) return { problem: `no row has both ${columnTitle(x)} and ${columnTitle(y)}` };
  const coloured = colour ? `, coloured by ${columnTitle(colour)}` : "", count = points.length.toLocaleString("en");
  const label = `${columnTitle(y)} over ${columnTitle(x)}: ${count} points${coloured}. The table below has their rows.`;
  const parts = [...fairZone(across, frame), ...axes(x, y, across, up, frame), ...marks(points, groups)];
  const svg = chartOf(width, frame.height, label, parts);
  svg.addEventListener("pointermove", (event) => onNear(nearest(points, svg, event, width)?.row ?? null));
  return { svg, legend: legendOf(groups, points), points };
}

function frameOf(across, up, width) {
  const lengthOf = (tick) => tick.words.length * LETTER, room = width - LEFT - RIGHT;
  const longest = Math.max(...across.ticks.map(lengthOf), 0);
  const turned = across.ticks.length > 1 && longest > room / across.ticks.length;
  const below = turned ? Math.min(longest, LONGEST_LABEL) * 0.7 + 46 : 52;
  // What is left of the box: the numbers of the axis, and what turned labels need beyond the place of their tick.
  const overhang = (tick) => Math.min(lengthOf(tick), LONGEST_LABEL) * 0.77 - tick.at * room;
  const needed = [...up.ticks.map((tick) => lengthOf(tick) + 12), ...(turned ? across.ticks.map(overhang) : [])];
  const left = Math.min(Math.max(LEFT, ...needed), width / 2), right = width - RIGHT;
  return { turned, height: HEIGHT + below, box: { left, right, top: TOP, bottom: HEIGHT } };
}

function pointOf(row, place, across, up, groups, { box }) {
  const right = across.at(row, place), high = up.at(row, place);
  if (right === null || high === null) return null;
  const x = box.left + right * (box.right - box.left), y = box.bottom - high * (box.bottom - box.top);
  return { row, x: Math.round(10 * x) / 10, y: Math.round(10 * y) / 10, group: groups.of(row) };
}

// Shares that count as fair.
function fairZone({ zone }, { box }) {
  if (!zone) return [];
  const [low, high] = zone.map((at) => box.left + at * (box.right - box.left));
  return [bandOf(box, low, high, "zone")];
}

function axes(x, y, across, up, { box, turned, height }) {
  const high = ({ at }) => box.bottom - at * (box.bottom - box.top);
  const right = ({ at }) => box.left + at * (box.right - box.left);
  const words = (tick) => tick.words, title = columnWords(x);
  const values = valueAxis({ box, scale: high, ticks: up.ticks, title: columnWords(y), words });
  if (!turned) return [...values, ...baseAxis({ box, scale: right, ticks: across.ticks, title, words })];
  const middle = (box.left + box.right) / 2;
  return [
    ...values,
    ...baseAxis({ box, scale: right, ticks: across.ticks }),
    ...across.ticks.map((tick) => turnedLabel(tick.words, right(tick), box.bottom)),
    textOf(title, middle, height - 6, "middle", "title"),
  ];
}

function turnedLabel(words, x, bottom) {
  const most = Math.floor(LONGEST_LABEL / LETTER), half = Math.floor((most - 1) / 2);
  const shown = words.length > most ? `${words.slice(0, half)}…${words.slice(-half)}` : words; // names differ at their end
  return element("text", { transform: `translate(${x + 4} ${bottom + 16}) rotate(-40)`, "text-anchor": "end" }, [shown]);
}

function marks(points, groups) {
  const paths = new Map();
  for (const { x, y, group } of points) {
    if (!paths.has(group)) paths.set(group, []);
    paths.get(group).push(`M${x} ${y}${shapeOf(group)}`);
  }
  return [...paths].sort(([one], [other]) => one - other)
    .map(([group, parts]) => markOf(group, groups, parts.join("")));
}

// A verdict has its tone, a service its own colour; other groups have one by their place.
function markOf(group, { colours, tones }, d) {
  if (tones) return element("path", { class: `mark ${tones[group]}`, d });
  return element("path", { class: "mark", fill: colours[group] ?? COLOURS[group % COLOURS.length], d });
}

// Groups that share a colour differ by shape.
function shapeOf(group) {
  return SHAPES[(group + Math.floor(group / COLOURS.length)) % SHAPES.length];
}

function nearest(points, svg, event, width) {
  const box = svg.getBoundingClientRect(), scale = width / box.width;
  const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
  let best = null, least = NEAR;
  for (const point of points) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

// The groups that have points.
function legendOf(groups, points) {
  const shown = new Set(points.map((point) => point.group));
  return make("ul", { class: "legend" }, ...groups.names.flatMap((name, group) => {
    if (!shown.has(group)) return [];
    const mark = markOf(group, groups, `M0 0${shapeOf(group)}`);
    const box = { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" };
    return make("li", {}, element("svg", box, [mark]), ` ${name}`);
  }));
}
