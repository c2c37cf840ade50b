// Draws rows as points. A library would bring zoom and themes that nobody asked for; this needs two axes and marks,
// obeys the policy of the site, and draws thousands of points as one path for each group.

import { make, makeSvg } from "../elements.js";
import { axisOf, MOST_BANDS } from "./axes.js";
import { groupsBy } from "./groups.js";

const HEIGHT = 420, LEFT = 66, RIGHT = 16, TOP = 12, LETTER = 7, LONGEST_LABEL = 170;
const NEAR = 16;
// Outlines around 0, so that groups differ by shape as well.
const SHAPES = [
  "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "m-3-3h6v6h-6z", "m0-4.4l4 7h-8z", "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z",
  "m0 4.4l4-7h-8z", "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z", "m-4.2-1.7h8.4v3.4h-8.4z", "m-1.7-4.2h3.4v8.4h-3.4z",
];

// The plot of rows, or words that say why there is none. `width` is that of its place, in pixels.
// all: the rows without filters; x, y: columns; colour: a column or null; onNear(row): the row under the pointer.
export function scatter({ rows, all, x, y, colour, width, onNear }) {
  const across = axisOf(x, rows), up = axisOf(y, rows), groups = groupsBy(colour, all);
  if (across.bands > MOST_BANDS) return { problem: `${x.name} has more than ${MOST_BANDS} values: choose a number, or filter` };
  const frame = frameOf(across, width);
  const points = rows.map((row, place) => pointOf(row, place, across, up, groups, frame)).filter(Boolean);
  if (!points.length) return { problem: `no row has both ${x.name} and ${y.name}` };
  const label = `${y.name} over ${x.name}: ${points.length.toLocaleString("en")} points${colour ? `, coloured by ${colour.name}` : ""}. ` +
    "The table below has their rows.";
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${frame.height}`, role: "img", "aria-label": label },
    ...grid(across, up, frame), ...titles(x, y, frame), ...marks(points));
  svg.addEventListener("pointermove", (event) => onNear(nearest(points, svg, event, width)?.row ?? null));
  return { svg, legend: legendOf(groups.names), points };
}

function frameOf(across, width) {
  const longest = Math.max(...across.ticks.map((tick) => tick.words.length * LETTER), 0);
  const turned = across.ticks.length > 1 && longest > (width - LEFT - RIGHT) / across.ticks.length;
  const below = turned ? Math.min(longest, LONGEST_LABEL) * 0.7 + 46 : 52;
  return { width, turned, height: HEIGHT + below, bottom: HEIGHT, right: width - RIGHT };
}

function pointOf(row, place, across, up, groups, frame) {
  const right = across.at(row, place), high = up.at(row, place);
  if (right === null || high === null) return null;
  const x = LEFT + right * (frame.right - LEFT), y = frame.bottom - high * (frame.bottom - TOP);
  return { row, x: Math.round(10 * x) / 10, y: Math.round(10 * y) / 10, group: groups.of(row) };
}

function grid(across, up, frame) {
  const lines = up.ticks.flatMap((tick) => {
    const y = frame.bottom - tick.at * (frame.bottom - TOP);
    return [makeSvg("line", { class: "grid", x1: LEFT, x2: frame.right, y1: y, y2: y }),
      makeSvg("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, tick.words)];
  });
  return [...lines, ...across.ticks.flatMap((tick) => {
    const x = LEFT + tick.at * (frame.right - LEFT);
    return [makeSvg("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: frame.bottom }), labelBelow(tick.words, x, frame)];
  })];
}

function labelBelow(words, x, frame) {
  const y = frame.bottom + 18;
  if (!frame.turned) return makeSvg("text", { x, y, "text-anchor": "middle" }, words);
  const most = Math.floor(LONGEST_LABEL / LETTER);
  const shown = words.length > most ? `${words.slice(0, most - 1)}…` : words;
  return makeSvg("text", { transform: `translate(${x + 4} ${y - 4}) rotate(-40)`, "text-anchor": "end" }, shown);
}

function titles(x, y, frame) {
  const name = (column) => column.unit ? `${column.name} (${column.unit})` : column.name;
  const middle = (TOP + frame.bottom) / 2;
  return [
    makeSvg("text", { class: "title", x: (LEFT + frame.right) / 2, y: frame.height - 8, "text-anchor": "middle" }, name(x)),
    makeSvg("text", { class: "title", transform: `translate(14 ${middle}) rotate(-90)`, "text-anchor": "middle" }, name(y)),
  ];
}

function marks(points) {
  const paths = new Map();
  for (const { x, y, group } of points) {
    if (!paths.has(group)) paths.set(group, []);
    paths.get(group).push(`M${x} ${y}${SHAPES[group]}`);
  }
  return [...paths].sort(([one], [other]) => one - other)
    .map(([group, parts]) => makeSvg("path", { class: `mark mark-${group}`, d: parts.join("") }));
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

function legendOf(names) {
  return make("ul", { class: "legend" }, ...names.map((name, group) => make("li", {},
    makeSvg("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
      makeSvg("path", { class: `mark mark-${group}`, d: `M0 0${SHAPES[group]}` })), ` ${name}`)));
}
