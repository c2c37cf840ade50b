/*! Contains hyparquet (Hyperparam) and fzstd (Copyright (c) 2020 Arjun Barrett), both under the MIT License. */
// Draws a trial over time on its page, from its rows of the published table trial_series.

import { linesOf } from "../points.js";
import { readRows } from "../rows.js";
import { timeline } from "../timeline.js";

const COLUMNS = ["client", "time_s", "throughput_mbps", "backlog_packets_mean"];
const FROM_A_FOLDER = "This page was opened from a folder, where browsers cannot read parts of a file. " +
  "Serve the site (make serve) to see the chart.";

async function draw(figure) {
  const { table, first, rows, queue, start, stop, title } = figure.dataset;
  const names = [...figure.querySelectorAll("[data-client]")];
  const looks = Object.fromEntries(names.map((name) => [name.dataset.client, lookOf(name)]));
  const found = await readRows(table, COLUMNS, Number(first), Number(rows));
  const { lines, end } = linesOf(found, Object.keys(looks));
  const steady = start ? [Number(start), Number(stop)] : null;
  const means = names.map((name) => name.textContent.trim()).join("; ");
  const words = `${title}. Throughput and queue over the whole trial. Mean throughput: ${means}.`;
  const plot = figure.querySelector(".plot"), room = plot.clientWidth;
  plot.replaceChildren(timeline({ lines, end, looks, steady, words, room, capacity: queue ? Number(queue) : null }));
}

function lookOf(name) {
  const line = name.querySelector("line");
  return { stroke: line.getAttribute("stroke"), dash: line.getAttribute("stroke-dasharray") };
}

for (const figure of document.querySelectorAll("figure[data-table]")) {
  const status = figure.querySelector("[role=status]");
  if (location.protocol === "file:") {
    status.textContent = FROM_A_FOLDER;
  } else {
    status.textContent = "Reading the rows of this trial …";
    draw(figure).catch((error) => {
      status.textContent = `The chart could not be drawn: ${error.message}. The figures below are complete.`;
    });
  }
}
