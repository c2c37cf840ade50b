// Packs files into a ZIP archive without compression (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4).

const UTF8_NAMES = 0x0800;
const VERSION = 20;
const FIRST_DAY = 0x0021; // 1980-01-01, so that the same files give the same bytes

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The CRC-32 of some bytes, as ZIP and PNG have it. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRCS[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Numbers of two or four bytes, in little endian: [value, bytes]. */
function packed(...fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/** What the local header of a file and its entry of the central directory have alike. */
function described(name, bytes) {
  return [
    [VERSION, 2], [UTF8_NAMES, 2], [0, 2], [0, 2], [FIRST_DAY, 2],
    [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2],
  ];
}

/** An archive of files, [name, bytes], as a Blob. Names are paths with slashes. */
export function zip(files) {
  const parts = [], directory = [];
  let at = 0, length = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path), about = described(name, bytes);
    const header = packed([0x04034b50, 4], ...about);
    const entry = packed([0x02014b50, 4], [VERSION, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]);
    parts.push(header, name, bytes);
    directory.push(entry, name);
    at += header.length + name.length + bytes.length;
    length += entry.length + name.length;
  }
  const count = files.length;
  const end = packed([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [at, 4], [0, 2]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
