// The pages that a row of a table is about.

import { pagesOf } from "../site.js";
import { isMissing } from "./values.js";

// The columns that links are made of.
export const LINKING = ["campaign", "cycle", "setting", "pair", "trial", "status", "service", "incumbent", "contender", "attempts"];

// Links of a row as { address, words, name }: its trial, and its pair or the service alone. `name` is read aloud.
export function linksOf(row) {
  const found = [], pair = pairOf(row);
  if (isMissing(row.setting) || !pair || row.attempts === 0) return found;
  const pages = pagesOf(row.campaign, row.cycle), of = `${pair}, ${row.setting}, cycle ${row.cycle}`;
  if (trialOf(row)) {
    const number = String(row.trial).padStart(2, "0");
    const name = `trial ${number} of ${of}`;
    found.push({ address: `${pages}trials/${row.setting}/${pair}/${number}/`, words: `trial ${number}`, name });
  }
  const alone = !pair.includes("~");
  const address = `${pages}${alone ? "solos" : "pairs"}/${row.setting}/${pair}/`;
  found.push({ address, words: alone ? "alone" : "pair", name: `${alone ? "alone" : "pair"}: ${of}` });
  return found;
}

// The name of a row's trial, `<campaign>/<cycle>/<setting>/<pair>/<number>`, or null.
// A trial that failed has neither a page nor a series.
export function trialOf(row) {
  const named = ["setting", "pair", "trial"].every((column) => !isMissing(row[column]));
  if (!named || row.status === "failed" || row.pair === "calibration") return null;
  return [row.campaign, row.cycle, row.setting, row.pair, row.trial].join("/");
}

// Tables without a column `pair` name the services apart. More than two instances of one are written as a count
// in the names of pairs (scripts/model/pairs.py): such rows have no link.
function pairOf(row) {
  if (row.pair !== undefined) return row.pair;
  if (isMissing(row.incumbent ?? row.service)) return null;
  const services = [row.incumbent ?? row.service, ...(row.contender ? row.contender.split("~") : [])];
  const most = Math.max(...services.map((name) => services.filter((other) => other === name).length));
  return most > 2 ? null : services.sort().join("~");
}
