// Counts the bytes that a page receives. The driver calls `pageReport()` at any time; `failure` is the page's error: a code
// that services/visited_page.py knows, and its numbers.
"use strict";
window.failure = null;
const meter = {
  bytes: 0,
  lastByte: 0,
  intervals: [],
  now: () => performance.now() / 1000,
  add(bytes) {
    this.bytes += bytes;
    this.lastByte = this.now();
  },
  // Reads a response to its end and returns its parts if `keep` is true.
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
  report() {
    return {
      received_bytes: this.bytes,
      intervals: this.intervals,
      idle_s: this.now() - this.lastByte,
    };
  },
};
window.pageReport = () => meter.report();
{
  let [start, bytesBefore] = [0, 0];
  setInterval(() => {
    meter.intervals.push([start, meter.now(), meter.bytes - bytesBefore]);
    [start, bytesBefore] = [meter.now(), meter.bytes];
  }, 1000);
}
// Fetches a file; throws if the server does not send it.
async function fetchWhole(url, signal) {
  const response = await fetch(url, { cache: "no-store", signal });
  if (!response.ok) throw new Failure("status", response.status);
  return response;
}
// Fetches a range of a file, [from, to] inclusive; throws if the server does not send this range.
async function fetchRange(url, [from, to], signal) {
  const response = await fetch(url, { headers: { Range: `bytes=${from}-${to}` }, cache: "no-store", signal });
  if (response.status !== 206) throw new Failure("status", response.status);
  return response;
}
class Failure extends Error {
  constructor(code, ...numbers) {
    super(code);
    Object.assign(this, { code, numbers });
  }
}
// Every other error comes from a transfer that the browser gave up.
function fail(error) {
  const { code, numbers } = error instanceof Failure ? error : new Failure("transfer");
  window.failure = { code, numbers };
}
