// Plays a video with adaptive bitrate, fetches each segment over `flows` connections at once, and records the bitrates
// it chose. services/observer.js records what a viewer notices.
"use strict";
const BUFFER_S = 30;
const SEGMENT_S = 4;
const query = new URLSearchParams(location.search);
const flows = Number(query.get("flows"));
const video = document.getElementById("video");
const player = new shaka.Player();
const record = { switches: [], segments: [] };

// The bytes of a segment. All segments of a rung have the same size.
function segmentBytes(uri) {
  const rung = /\/(\d+)\/\d+\.m4s$/.exec(uri);
  return rung && (Number(rung[1]) * SEGMENT_S) / 8;
}

// Shaka's network plugin for segments. Shaka fetches everything else itself.
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

// Fetches a whole segment by one request, or in as many parts as there are flows.
async function fetchSegment(uri, size, signal) {
  const ends = Array.from({ length: flows + 1 }, (_, number) => Math.floor((number * size) / flows));
  const responses = flows === 1
    ? [fetchWhole(uri, signal)]
    : ends.slice(1).map((end, number) => fetchRange(uri, [ends[number], end - 1], signal));
  const parts = await Promise.all(responses.map(async (response) => meter.read(await response, true)));
  return new Blob(parts.flat()).arrayBuffer();
}

function recordSwitch() {
  const rung = player.getVariantTracks().find((track) => track.active);
  const last = record.switches.at(-1);
  if (rung && (!last || last.bitrate_bps !== rung.bandwidth)) {
    record.switches.push({ at_s: meter.now(), bitrate_bps: rung.bandwidth, height: rung.height });
  }
}

function recordPlayback() {
  player.addEventListener("adaptation", recordSwitch);
  player.addEventListener("variantchanged", recordSwitch);
  player.addEventListener("error", (event) => fail(new Failure("player", event.detail.code)));
  player.getNetworkingEngine().registerResponseFilter((type, response) => {
    const size = segmentBytes(response.uri);
    if (type !== shaka.net.NetworkingEngine.RequestType.SEGMENT || size === null) return;
    record.segments.push({ end_s: meter.now(), bitrate_bps: (size * 8) / SEGMENT_S, seconds: response.timeMs / 1000 });
  });
}

window.pageReport = () => ({ ...meter.report(), ...record });

(async () => {
  await player.attach(video);
  player.configure({
    streaming: { bufferingGoal: BUFFER_S },
    abr: { restrictToElementSize: false, restrictToScreenSize: false },
  });
  shaka.net.NetworkingEngine.registerScheme(
    "https", fetchInParts, shaka.net.NetworkingEngine.PluginPriority.APPLICATION, true);
  recordPlayback();
  await player.load(query.get("video"));
  recordSwitch();
  await video.play();
})().catch((error) => fail(error instanceof shaka.util.Error ? new Failure("player", error.code) : error));
