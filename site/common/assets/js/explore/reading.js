// Reads columns of published tables once each.

import { openTable } from "../rows.js";
import { fileOf } from "./archive.js";
import { plain } from "./values.js";

// What was read since the page was opened.
export const fetched = { bytes: 0 };

const opened = new Map();

// The rows of a table in some cycles, as objects with at least these columns.
export async function rowsOf(view, columns, archive, root) {
  const files = view.cycles.map((name) => fileOf(archive.cycles.get(name), view.table)).filter(Boolean);
  const parts = await Promise.all(files.map((file) => rowsOfFile(file, columns, root)));
  return parts.flat();
}

async function rowsOfFile(file, columns, root) {
  if (!file.rows) return [];
  if (!opened.has(file.address)) opened.set(file.address, open(file, root));
  const part = await opened.get(file.address).catch((error) => {
    opened.delete(file.address); // so that the next attempt asks again
    throw error;
  });
  // Columns are only added to tables: an early cycle may lack some.
  const missing = columns.filter((name) => part.table.names.includes(name) && !part.read.has(name));
  if (missing.length) {
    const found = await part.table.read({ columns: missing, rowStart: 0, rowEnd: file.rows });
    found.forEach((row, place) => Object.assign(part.rows[place], plain(row)));
    missing.forEach((name) => part.read.add(name));
  }
  return part.rows;
}

async function open(file, root) {
  const table = await openTable(new URL(file.address, root), file.bytes, fetched);
  return { table, rows: Array.from({ length: file.rows }, () => ({})), read: new Set() };
}
