/*! Contains hyparquet (Hyperparam) and fzstd (Copyright (c) 2020 Arjun Barrett), both under the MIT License. */
// Draws a trial over time on its page, from its rows of the published table trial_series.

import { plot } from "./plot.js";
import { linesOf, mean } from "./points.js";
import { readRows } from "./rows.js";

const COLUMNS = ["client", "time_s", "throughput_mbps", "backlog_packets_mean"];
const FROM_A_FOLDER = "This page was opened from a folder, where browsers cannot read parts of a file. " +
  "Serve the site (make serve) to see the chart.";

async function draw(figure) {
  const { table, first, rows, queue, title } = figure.dataset;
  const names = [...figure.querySelectorAll("[data-client]")];
  const looks = Object.fromEntries(names.map((name) => [name.dataset.client, lookOf(name)]));
  const found = await readRows(table, COLUMNS, Number(first), Number(rows));
  const { lines, end } = linesOf(found, Object.keys(looks));
  const words = lines.map((line) => `${looks[line.client].name}: mean throughput ${meanOf(line)} Mbps`);
  const label = `${title}. Throughput and queue over the whole trial. ${words.join("; ")}.`;
  figure.querySelector(".plot").replaceChildren(
    plot({ lines, end, looks, label, capacity: queue ? Number(queue) : null }),
  );
}

function lookOf(name) {
  const line = name.querySelector("line");
  return {
    name: name.textContent.trim(),
    stroke: line.getAttribute("stroke"),
    dash: line.getAttribute("stroke-dasharray"),
  };
}

function meanOf(line) {
  return (mean(line.points.map((point) => point.throughput)) ?? 0).toFixed(2);
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
