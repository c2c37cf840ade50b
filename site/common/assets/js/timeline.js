// The chart of a trial: throughput of each client above the queue, like scripts/charts/timeline.py draws it.

import { bandOf, baseAxis, chartOf, element, lineOf, numberOf, scaleOf, textOf, ticksTo, valueAxis } from "./plot.js";

const NARROWEST = 428, HEIGHT = 404, LEFT = 44, MARGIN = 12;
const PANELS = [
  { key: "throughput", title: "Throughput (Mbps)", top: 30, bottom: 200 },
  { key: "queue", title: "Queue (packets)", top: 246, bottom: 356 },
];
const TICKS = 5, TIME_TICKS = 8;

// lines and end: what linesOf (points.js) returns; looks: { client: { stroke, dash } };
// capacity: packets that the queue holds, or null; steady: start and stop of the steady window in seconds, or null;
// words: the chart in words; reach: { throughput, queue }, values that the axes reach, so that charts have the same;
// room: the width of its place in px. In a narrower place than NARROWEST the chart shrinks with its letters.
export function timeline({ lines, end, looks, capacity, steady, words, reach = {}, room = 0 }) {
  const width = Math.max(NARROWEST, room), right = width - MARGIN;
  const time = scaleOf([0, end], [LEFT, right]);
  const times = ticksTo(end, TIME_TICKS).filter((tick) => tick <= end);
  const parts = PANELS.flatMap((panel) => {
    const box = { ...panel, left: LEFT, right };
    const title = panel === PANELS.at(-1) ? "Time since the start of the trial (s)" : null;
    return [
      ...(steady ? outside(box, steady, end, time) : []),
      ...baseAxis({ box, scale: time, ticks: times, title, kind: "time" }),
      ...panelOf(box, lines, looks, time, panel.key === "queue" ? capacity : null, reach[panel.key] ?? 0),
    ];
  });
  const named = steady ? [textOf(steadyWords(steady), right, PANELS[0].top - 12, "end", "title")] : [];
  return chartOf(width, HEIGHT, words, [...parts, ...named]);
}

// The values axis of a panel, and its lines: every value faint, the means in front.
function panelOf(box, lines, looks, time, limit, reach) {
  const { key } = box;
  const values = lines.flatMap((line) => line[key].every.map(([, value]) => value ?? 0));
  const ticks = ticksTo(values.reduce((one, other) => Math.max(one, other), Math.max(limit ?? 0, reach)), TICKS);
  const scale = scaleOf([0, ticks.at(-1)], [box.bottom, box.top]);
  const placed = (points) => points.map(([at, value]) => [time(at), value === null ? null : scale(value)]);
  return [
    ...valueAxis({ box, scale, ticks, title: box.title, kind: key }),
    ...(limit === null ? [] : limitOf(limit, scale, box)),
    ...lines.map((line) => lineOf(placed(line[key].every), {
      kind: `every ${key}`, client: line.client, stroke: looks[line.client].stroke,
    })),
    ...lines.map((line) => lineOf(placed(line[key].means), {
      kind: `mean ${key}`, client: line.client, ...looks[line.client],
    })),
  ];
}

// The parts of the trial that do not count, shaded.
function outside(box, [start, stop], end, time) {
  return [
    bandOf(box, time(0), time(start), "outside"),
    bandOf(box, time(Math.min(stop, end)), time(end), "outside"),
  ];
}

function steadyWords([start, stop]) {
  return `unshaded: steady window, ${numberOf(start)}–${numberOf(stop)} s`;
}

function limitOf(limit, scale, box) {
  const y = scale(limit);
  return [
    element("line", { class: "limit", x1: box.left, x2: box.right, y1: y, y2: y }),
    textOf(`dotted: the queue holds ${numberOf(limit)}`, box.right, box.top - 12, "end", "title"),
  ];
}
