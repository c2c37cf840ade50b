// Parts of a chart as SVG: scales, axes, lines, points. They come in as numbers and go out as elements, of which the
// stylesheet colours text, grid and axes by their class. No part knows what the chart is about.
//
//   const box = { left: 44, right: 416, top: 30, bottom: 200 };        // where the data is drawn, in the chart's units
//   const y = scaleOf([0, 8], [box.bottom, box.top]);
//   chartOf(428, 250, "What the chart shows, in words", [
//     ...valueAxis({ box, scale: y, ticks: ticksTo(8, 5), title: "Throughput (Mbps)" }),
//     ...baseAxis({ box, scale: x, ticks: ticksTo(60, 6), title: "Time (s)" }),
//     lineOf([[x(0), y(2)], [x(1), null], [x(2), y(3)]], { stroke: "#1f7fc4", dash: "5 2" }),
//     pointOf(x(4), y(2), { stroke: "#1f7fc4" }, "trial 04: 2.0 Mbps"),
//   ]);

const SVG = "http://www.w3.org/2000/svg";
const GAP = 8, LINE = 19, BASELINE = 5;

// An SVG element. Coordinates are rounded to a hundredth; attributes that are null or undefined are left out.
export function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, rounded(value));
  }
  made.append(...children);
  return made;
}

// The picture, as wide as its place: `words` are its label, `parts` its elements from back to front.
export function chartOf(width, height, words, parts) {
  return element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words }, parts);
}

// A line of text; `anchor` is start, middle or end; `kind` its class.
export function textOf(content, x, y, anchor, kind) {
  return element("text", { x, y, "text-anchor": anchor, class: kind }, [content]);
}

// From a value to its place: `low` is at `from`, `high` at `to`.
export function scaleOf([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low || 1)) * (to - from);
}

// About `count` round steps from 0 to a tick at or above `most`.
export function ticksTo(most, count) {
  const rough = (most || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const length = Math.ceil((most || 1) / step - 1e-9) + 1;
  return Array.from({ length }, (_, place) => Number((place * step).toPrecision(12)));
}

// The axis at the left of a box: a grid line and a number for each tick, the title above them.
// `kind` names the ticks (class tick-<kind>); `words` puts a tick into words.
export function valueAxis({ box, scale, ticks, title, kind = "value", words = numberOf }) {
  return [
    textOf(title, 0, box.top - 12, "start", "title"),
    ...ticks.flatMap((tick) => [
      element("line", { class: "grid", x1: box.left, x2: box.right, y1: scale(tick), y2: scale(tick) }),
      textOf(words(tick), box.left - GAP, scale(tick) + BASELINE, "end", `tick-${kind}`),
    ]),
  ];
}

// The axis at the bottom of a box. Without a title it has grid lines only.
export function baseAxis({ box, scale, ticks, title = null, kind = "base", words = numberOf }) {
  const lines = ticks.map((tick) =>
    element("line", { class: "grid", x1: scale(tick), x2: scale(tick), y1: box.top, y2: box.bottom }));
  if (title === null) return lines;
  const label = (tick) => textOf(words(tick), scale(tick), box.bottom + LINE, "middle", `tick-${kind}`);
  return [
    ...lines,
    ...ticks.map(label),
    textOf(title, (box.left + box.right) / 2, box.bottom + 2 * LINE + 4, "middle", "title"),
  ];
}

// A line through points [x, y], with a gap where y is null.
// look: { stroke, dash, kind (its class beside "line"), client (data-client) }
export function lineOf(points, look) {
  let before = null;
  const steps = points.map(([x, y]) => {
    const move = before === null ? "M" : "L";
    before = y;
    return y === null ? "" : `${move}${rounded(x)} ${rounded(y)}`;
  });
  return element("path", {
    class: `line ${look.kind ?? ""}`.trim(), "data-client": look.client, d: steps.join(""),
    stroke: look.stroke, "stroke-dasharray": look.dash,
  });
}

// A round mark with its words, which appear on hovering.
// look: { stroke, radius, hollow (an outline, of what does not count) }
export function pointOf(x, y, look, words) {
  const { stroke, radius = 5, hollow = false } = look;
  const fill = hollow ? "none" : stroke;
  return element("circle", { class: "point", cx: x, cy: y, r: radius, fill, stroke }, [
    element("title", {}, [words]),
  ]);
}

// The area from x1 to x2 over the whole height of a box.
export function bandOf(box, x1, x2, kind) {
  return element("rect", { class: kind, x: x1, y: box.top, width: Math.max(0, x2 - x1), height: box.bottom - box.top });
}

// A number as readers write it.
export function numberOf(value) {
  return value.toLocaleString("en");
}

function rounded(value) {
  return typeof value === "number" ? Math.round(value * 100) / 100 : value;
}
