// Counts what a page receives. The driver asks `seen()` at any time; `failed` says what broke the page.
"use strict";
window.failed = null;
const meter = {
  bytes: 0,
  lastByte: 0,
  intervals: [],
  now: () => performance.now() / 1000,
  add(bytes) {
    this.bytes += bytes;
    this.lastByte = this.now();
  },
  // Read a response to its end; returns its parts.
  async read(response, keep = false) {
    const reader = response.body.getReader();
    const parts = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return parts;
      this.add(value.length);
      if (keep) parts.push(value);
    }
  },
  seen() {
    return {
      received_bytes: this.bytes,
      intervals: this.intervals,
      idle_s: this.now() - this.lastByte,
    };
  },
};
window.seen = () => meter.seen();
{
  let [since, before] = [0, 0];
  setInterval(() => {
    meter.intervals.push([since, meter.now(), meter.bytes - before]);
    [since, before] = [meter.now(), meter.bytes];
  }, 1000);
}
// A file; throws where the server does not give it.
async function fetchWhole(url, signal) {
  const response = await fetch(url, { cache: "no-store", signal });
  if (!response.ok) throw new Error(`${url}: HTTP status ${response.status}`);
  return response;
}
// A range of a file, [from, to] inclusive; throws where the server does not give exactly it.
async function fetchRange(url, [from, to], signal) {
  const response = await fetch(url, { headers: { Range: `bytes=${from}-${to}` }, cache: "no-store", signal });
  if (response.status !== 206) throw new Error(`${url}: HTTP status ${response.status}`);
  return response;
}
function broken(error) {
  window.failed = String(error.message || error);
}
