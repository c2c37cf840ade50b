// Plays a video as fast as its bitrate adapts, each segment over `flows` connections at once, and keeps which
// bitrate it chose; what a viewer would notice the browser's driver does (services/observer.js).
"use strict";
const BUFFER_S = 30;
const SEGMENT_S = 4;
const asked = new URLSearchParams(location.search);
const flows = Number(asked.get("flows"));
const video = document.getElementById("video");
const player = new shaka.Player();
const notes = { switches: [], segments: [] };

// The size of a segment follows from its rung: every rung's segments are padded to it.
function segmentBytes(uri) {
  const rung = /\/(\d+)\/\d+\.m4s$/.exec(uri);
  return rung && (Number(rung[1]) * SEGMENT_S) / 8;
}

// Shaka's way to fetch, for segments alone; the rest it fetches itself.
function fetchInParts(uri, request, requestType, progressed, headersReceived, config) {
  const size = segmentBytes(uri);
  if (size === null) {
    return shaka.net.HttpFetchPlugin.parse(uri, request, requestType, progressed, headersReceived, config);
  }
  const aborter = new AbortController();
  const start = performance.now();
  const whole = fetchSegment(uri, size, aborter.signal).then(
    (data) => ({
      uri, originalUri: uri, originalRequest: request, headers: {}, status: 200, fromCache: false, data,
      timeMs: performance.now() - start,
    }),
    (error) => {
      const { Code, Severity, Category } = shaka.util.Error;
      const code = aborter.signal.aborted ? Code.OPERATION_ABORTED : Code.HTTP_ERROR;
      aborter.abort();
      throw new shaka.util.Error(Severity.RECOVERABLE, Category.NETWORK, code, uri, String(error));
    });
  return new shaka.util.AbortableOperation(whole, async () => aborter.abort());
}

// A whole segment by one request, or by as many as there are flows, each for its part.
async function fetchSegment(uri, size, signal) {
  const ends = Array.from({ length: flows + 1 }, (_, number) => Math.floor((number * size) / flows));
  const responses = flows === 1
    ? [fetchWhole(uri, signal)]
    : ends.slice(1).map((end, number) => fetchRange(uri, [ends[number], end - 1], signal));
  const parts = await Promise.all(responses.map(async (response) => meter.read(await response, true)));
  return new Blob(parts.flat()).arrayBuffer();
}

function noteSwitch() {
  const rung = player.getVariantTracks().find((track) => track.active);
  const last = notes.switches.at(-1);
  if (rung && (!last || last.bitrate_bps !== rung.bandwidth)) {
    notes.switches.push({ at_s: meter.now(), bitrate_bps: rung.bandwidth, height: rung.height });
  }
}

function watch() {
  player.addEventListener("adaptation", noteSwitch);
  player.addEventListener("variantchanged", noteSwitch);
  player.addEventListener("error", (event) => broken(`the player's error ${event.detail.code}: ${event.detail.data}`));
  player.getNetworkingEngine().registerResponseFilter((type, response) => {
    const size = segmentBytes(response.uri);
    if (type !== shaka.net.NetworkingEngine.RequestType.SEGMENT || size === null) return;
    notes.segments.push({ end_s: meter.now(), bitrate_bps: (size * 8) / SEGMENT_S, seconds: response.timeMs / 1000 });
  });
}

const ofMeter = window.seen;
window.seen = () => ({ ...ofMeter(), ...notes });

(async () => {
  await player.attach(video);
  player.configure({
    streaming: { bufferingGoal: BUFFER_S },
    abr: { restrictToElementSize: false, restrictToScreenSize: false },
  });
  shaka.net.NetworkingEngine.registerScheme(
    "https", fetchInParts, shaka.net.NetworkingEngine.PluginPriority.APPLICATION, true);
  watch();
  await player.load(asked.get("video"));
  noteSwitch();
  await video.play();
})().catch((error) => broken(error.code ? `the player's error ${error.code}: ${error.data}` : error));
