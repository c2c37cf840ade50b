// Rows as CSV (RFC 4180): lines end with CRLF; a missing value is empty.

export function csvOf(rows, columns) {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

function field(value) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
