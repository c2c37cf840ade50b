// Two trials over time, one above the other on the same axes, from their rows of the published table trial_series.

import { make } from "../elements.js";
import { element } from "../plot.js";
import { linesOf } from "../points.js";
import { openTable } from "../rows.js";
import { pagesOf } from "../site.js";
import { timeline } from "../timeline.js";
import { fileOf, SERIES } from "./archive.js";
import { colourOf, titleOf } from "./titles.js";

const COLUMNS = ["client", "service", "time_s", "throughput_mbps", "backlog_packets_mean"];
const DASHES = [null, "6 2", "2 2"]; // as the pages of trials have them
const OTHER = "#607090";
// What was read since the page was opened.
export const fetched = { bytes: 0 };

const FORM = /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/(\d+)$/;

// The figures of the named trials. Throws an Error with a reason for readers.
export async function seriesOf(names, archive, root) {
  const trials = await Promise.all(names.map((name) => readTrial(name, archive, root)));
  const end = Math.max(...trials.map((trial) => trial.end));
  const reach = {};
  for (const key of ["throughput", "queue"]) {
    const values = trials.flatMap((trial) => trial.lines.flatMap((line) => line[key].every.map(([, value]) => value ?? 0)));
    reach[key] = values.reduce((one, other) => Math.max(one, other), 0);
  }
  return trials.map((trial) => figure(trial, end, reach, root));
}

// A trial by its name: { name, campaign, cycle, setting, pair, number }, or why there is none as { problem }.
export function trialNamed(name, archive) {
  const [, campaign, cycle, setting, pair, number] = FORM.exec(name) ?? [];
  if (!campaign) return { problem: `“${name}” does not name a trial: write campaign/cycle/setting/pair/number` };
  const file = archive.cycles.has(`${campaign}/${cycle}`) && fileOf(archive.cycles.get(`${campaign}/${cycle}`), SERIES);
  if (!file) return { problem: `${campaign}/${cycle} is not a cycle with a table ${SERIES}` };
  return { name, campaign, cycle, setting, pair, number: Number(number), file };
}

async function readTrial(name, archive, root) {
  const trial = trialNamed(name, archive);
  if (trial.problem) throw new Error(trial.problem);
  const { setting, pair, number, file } = trial;
  // The statistics of the row groups tell which of them hold the trial.
  const filter = { $and: [{ setting: { $eq: setting } }, { pair: { $eq: pair } }, { trial: { $eq: number } }] };
  const table = await openTable(new URL(file.address, root), file.bytes, fetched);
  const rows = await table.read({ columns: COLUMNS, filter });
  if (!rows.length) throw new Error(`the table ${SERIES} has no rows of trial ${name}`);
  const services = new Map(rows.map((row) => [row.client, row.service]));
  return { ...trial, services, ...linesOf(rows, [...services.keys()].sort()) };
}

function figure(trial, end, reach, root) {
  const clients = trial.lines.map((line) => line.client);
  const looks = Object.fromEntries(clients.map((client, place) => [client, {
    stroke: colourOf(trial.services.get(client)) ?? OTHER, dash: DASHES[place % DASHES.length],
  }]));
  const title = `Trial ${trial.number} of ${trial.pair}, ${trial.setting}, cycle ${trial.cycle}`;
  const nn = String(trial.number).padStart(2, "0");
  const address = `${pagesOf(trial.campaign, trial.cycle)}trials/${trial.setting}/${trial.pair}/${nn}/`;
  const words = `${title}. Throughput and queue over time.`;
  const drawn = timeline({ lines: trial.lines, end, looks, capacity: null, steady: null, reach, words });
  return make("figure", { class: "chart series" },
    make("h3", {}, make("a", { href: new URL(address, root) }, title)),
    make("ul", { class: "legend" }, ...clients.map((client) => legendItem(trial, client, looks))),
    make("div", { class: "plot" }, drawn));
}

function legendItem(trial, client, looks) {
  const { stroke, dash } = looks[client], name = `${titleOf(trial.services.get(client))} (${client})`;
  const line = element("line", { x1: 0, y1: 4, x2: 28, y2: 4, stroke, "stroke-width": 3, "stroke-dasharray": dash });
  return make("li", {}, element("svg", { width: 28, height: 8, "aria-hidden": "true" }, [line]), ` ${name}`);
}
