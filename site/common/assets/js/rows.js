// Reads some rows of a published table by HTTP ranges: its footer, then the row groups that hold these rows.

import { decompress } from "fzstd";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";

const FOOTER_BYTES = 65_536; // read first; most footers are shorter
const compressors = { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) };

// The rows from number `first` on, as objects with these columns. Throws an Error with a reason for readers.
export async function readRows(address, columns, first, count) {
  const file = await rangesOf(address);
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES, geoparquet: false });
  return parquetReadObjects({
    file, metadata, columns, compressors, rowStart: first, rowEnd: first + count,
  });
}

async function rangesOf(address) {
  const head = await fetch(address, { method: "HEAD" });
  const byteLength = Number(head.headers.get("Content-Length"));
  if (!head.ok || !byteLength) throw new Error(`the table is not there (status ${head.status})`);
  return { byteLength, slice: (start, end = byteLength) => range(address, start, end) };
}

async function range(address, start, end) {
  const answer = await fetch(address, { headers: { Range: `bytes=${start}-${end - 1}` } });
  if (answer.status === 206) return answer.arrayBuffer();
  // A server without ranges sends the whole table, which may have gigabytes.
  await answer.body?.cancel();
  throw new Error(`the server did not send a part of the table (status ${answer.status})`);
}
