// The tables and cycles that data/v1/index.json lists.

import { readJson } from "../site.js";
import { isNumeric } from "./values.js";

// Tables of a row every 0.1 s or so are too long to be read whole.
const MOST_ROWS = 200_000;
export const SERIES = "trial_series";

// The columns that a reader sees first. Other tables begin with their key and what follows it.
const FIRST_COLUMNS = {
  pairs: ["cycle", "setting", "incumbent", "contender", "instance", "n", "share_median", "share_low", "share_high",
    "verdict", "settled", "throughput_mbps_median", "loss_rate_median", "queueing_delay_ms_median"],
  solo: ["cycle", "setting", "service", "n", "wire_rate_median_mbps", "throughput_median_mbps",
    "loss_rate_median", "queueing_delay_median_ms", "utilization_median"],
  trial_services: ["cycle", "setting", "pair", "trial", "client", "service", "valid", "throughput_mbps",
    "wire_rate_mbps", "loss_rate", "queueing_delay_mean_ms"],
};
const FIRST_COUNT = 10;

const FIRST_PLOTS = {
  pairs: { x: "share_median", y: "queueing_delay_ms_median", colour: "verdict" },
  solo: { x: "throughput_median_mbps", y: "queueing_delay_median_ms", colour: "service" },
  trial_services: { x: "throughput_mbps", y: "queueing_delay_mean_ms", colour: "service" },
};
const COUNTS = new Set(["n", "excluded", "n_all", "trial", "round"]);

// { tables, cycles, latest, withdrawn }: tables by name, cycles by `<campaign>/<cycle>`; the others are such names.
export async function readArchive(root, { latest, withdrawn }) {
  const index = await readJson(new URL("data/v1/index.json", root));
  return {
    tables: new Map(index.tables.filter((table) => table.name !== SERIES).map((table) => [table.name, table])),
    cycles: new Map(index.cycles.map((cycle) => [`${cycle.campaign}/${cycle.cycle}`, cycle])),
    latest,
    withdrawn: new Set(withdrawn.split(" ")),
  };
}

// The Parquet file of a table of a cycle: { address, bytes, rows }, or null if the cycle has no such table.
export function fileOf(cycle, name) {
  const table = cycle.tables.find((one) => one.name === name);
  const file = table?.files.find((one) => one.form === "parquet");
  return file ? { address: file.address, bytes: file.bytes, rows: table.rows } : null;
}

// Why a table of some cycles cannot be shown here, or null.
export function refusal(rows) {
  if (rows <= MOST_ROWS) return null;
  return `These cycles have ${rows.toLocaleString("en")} rows in this table, and this page reads at most ` +
    `${MOST_ROWS.toLocaleString("en")}. Choose fewer cycles, or read the file with one of the commands of the data page.`;
}

export function firstColumns(table) {
  const names = table.columns.map((column) => column.name);
  const wanted = FIRST_COLUMNS[table.name] ?? table.key.filter((name) => name !== "campaign");
  const chosen = wanted.filter((name) => names.includes(name));
  if (FIRST_COLUMNS[table.name]) return chosen;
  const others = names.filter((name) => name !== "campaign" && !chosen.includes(name));
  return [...chosen, ...others.slice(0, Math.max(0, FIRST_COUNT - chosen.length))];
}

// What a table's plot shows before a reader chooses: { x, y, colour }, names of columns.
export function firstPlot(table) {
  if (FIRST_PLOTS[table.name]) return FIRST_PLOTS[table.name];
  const numbers = table.columns.filter(isNumeric).map((column) => column.name);
  const measured = numbers.filter((name) => !table.key.includes(name) && !COUNTS.has(name));
  return { x: measured[1] ? measured[0] : table.key.at(-1), y: measured[1] ?? measured[0] ?? "", colour: "" };
}
