// Draws lines over one time axis as SVG: throughput above the queue. The stylesheet colours text and axes.

const WIDTH = 760, LEFT = 66, RIGHT = 14;
const PANELS = [
  { key: "throughput", title: "Throughput (Mbps)", top: 14, height: 190 },
  { key: "queue", title: "Queue (packets)", top: 232, height: 150 },
];
const HEIGHT = 430;
const TICKS = 5, TIME_TICKS = 12;

// The chart of `lines` from 0 to `end` seconds.
// looks: { client: { stroke, dash } }; capacity: packets that the queue holds, or null; label: the chart in words
// reach: { throughput, queue }, values that the axes must reach, so that charts can have the same axes
export function plot({ lines, end, looks, capacity, label, reach = {} }) {
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  const x = scale(end, LEFT, WIDTH - RIGHT);
  for (const panel of PANELS) {
    const values = lines.flatMap((line) => line.points.map((point) => point[panel.key] ?? 0));
    const limit = panel.key === "queue" ? capacity : null;
    const ticks = ticksTo(Math.max(...values, limit ?? 0, reach[panel.key] ?? 0) || 1, TICKS);
    const y = scale(ticks.at(-1), panel.top + panel.height, panel.top);
    svg.append(...axis(panel, ticks, y), ...timeAxis(panel, end, x));
    if (limit !== null) svg.append(...limitLine(limit, y));
    svg.append(...lines.map((line) => path(line, panel.key, x, y, looks[line.client])));
  }
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  svg.append(text("Time since the start of the trial (s)", middle, HEIGHT - 8, "middle", "title"));
  return svg;
}

// Round steps from 0 to a tick at or above `most`.
export function ticksTo(most, count) {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const length = Math.ceil(most / step - 1e-9) + 1;
  return Array.from({ length }, (_, place) => Number((place * step).toPrecision(12)));
}

function scale(most, from, to) {
  return (value) => from + (value / most) * (to - from);
}

function axis(panel, ticks, y) {
  const middle = panel.top + panel.height / 2;
  const title = text(panel.title, 0, 0, "middle", "title");
  title.setAttribute("transform", `translate(14 ${middle}) rotate(-90)`);
  return [title, ...ticks.flatMap((tick) => [
    element("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
    text(tick.toLocaleString("en"), LEFT - 8, y(tick) + 4, "end", `tick-${panel.key}`),
  ])];
}

function timeAxis(panel, end, x) {
  const bottom = panel.top + panel.height;
  const ticks = ticksTo(end, TIME_TICKS).filter((tick) => tick <= end);
  const lines = ticks.map((tick) =>
    element("line", { class: "grid", x1: x(tick), x2: x(tick), y1: panel.top, y2: bottom }));
  if (panel !== PANELS.at(-1)) return lines;
  const label = (tick) => text(tick.toLocaleString("en"), x(tick), bottom + 18, "middle", "tick-time");
  return [...lines, ...ticks.map(label)];
}

function limitLine(limit, y) {
  return [
    element("line", { class: "limit", x1: LEFT, x2: WIDTH - RIGHT, y1: y(limit), y2: y(limit) }),
    text(`queue holds ${limit.toLocaleString("en")}`, WIDTH - RIGHT, y(limit) - 4, "end", "title"),
  ];
}

// A line with a gap where a value is unknown.
function path(line, key, x, y, look) {
  let before = null;
  const steps = line.points.map((point) => {
    const value = point[key], move = before === null ? "M" : "L";
    before = value;
    return value === null ? "" : `${move}${round(x(point.time))} ${round(y(value))}`;
  });
  const d = steps.join("");
  const drawn = element("path", { class: `line ${key}`, "data-client": line.client, d, stroke: look.stroke });
  if (look.dash) drawn.setAttribute("stroke-dasharray", look.dash);
  return drawn;
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function text(content, x, y, anchor, kind) {
  const made = element("text", { x, y, class: kind, "text-anchor": anchor });
  made.textContent = content;
  return made;
}

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
