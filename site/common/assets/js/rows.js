// Reads some rows of a published table by HTTP ranges: its footer, then the row groups that hold these rows.

import { decompress } from "fzstd";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";

const FOOTER_BYTES = 65_536; // read first; most footers are shorter
const compressors = { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) };

const WHOLE_BYTES = 262_144; // a file up to this size is read in one request if its size is known

// The rows from number `first` on, as objects with these columns. Throws an Error with a reason for readers.
export async function readRows(address, columns, first, count) {
  const table = await openTable(address);
  return table.read({ columns, rowStart: first, rowEnd: first + count });
}

// A table by its footer: { names: those of its columns, read: (options of hyparquet) => rows }.
// byteLength: its size, if known; counter: adds up the `bytes` that are read
export async function openTable(address, byteLength, counter = { bytes: 0 }) {
  const whole = byteLength <= WHOLE_BYTES;
  const file = whole ? await wholeOf(address, byteLength, counter) : await rangesOf(address, counter);
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES, geoparquet: false });
  return {
    names: metadata.schema.slice(1).map((column) => column.name),
    read: (options) => parquetReadObjects({ file, metadata, compressors, ...options }),
  };
}

async function wholeOf(address, byteLength, counter) {
  const content = await range(address, 0, byteLength, counter);
  return { byteLength, slice: (start, end) => content.slice(start, end) };
}

async function rangesOf(address, counter) {
  const head = await fetch(address, { method: "HEAD" });
  const byteLength = Number(head.headers.get("Content-Length"));
  if (!head.ok || !byteLength) throw new Error(`the table is not there (status ${head.status})`);
  return { byteLength, slice: (start, end = byteLength) => range(address, start, end, counter) };
}

async function range(address, start, end, counter) {
  const answer = await fetch(address, { headers: { Range: `bytes=${start}-${end - 1}` } });
  if (answer.status === 206) {
    const content = await answer.arrayBuffer();
    counter.bytes += content.byteLength;
    return content;
  }
  // A server without ranges sends the whole table, which may have gigabytes.
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the table is not there (status ${answer.status})`);
  throw new Error(`the server did not send a part of the table (status ${answer.status})`);
}
