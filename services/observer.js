// Observes the video or the call of any page as a person notices it. It runs before the page's own scripts and does not
// change the page. The driver calls `observation()` at any time. Seconds count from the page's navigation start.
"use strict";
(() => {
  const now = () => performance.now() / 1000;
  const playback = { startup_s: null, stalls: [], heights: [] };
  const connections = [];
  const seconds = [];
  let stalledAt = null;

  // The largest of several videos is the one that a person watches.
  function mainVideo() {
    const area = (video) => video.clientWidth * video.clientHeight;
    return [...document.querySelectorAll("video")].sort((a, b) => area(b) - area(a))[0];
  }

  function recordHeight(video) {
    if (video.videoHeight && video.videoHeight !== playback.heights.at(-1)?.height) {
      playback.heights.push({ at_s: now(), height: video.videoHeight });
    }
  }

  // Events of a video do not bubble, so a listener here must capture them.
  const on = (name, handler) => addEventListener(name, (event) => {
    if (event.target instanceof HTMLVideoElement && event.target === mainVideo()) handler(event.target);
  }, true);
  on("playing", (video) => {
    playback.startup_s ??= now();
    if (stalledAt !== null) playback.stalls.push([stalledAt, now()]);
    stalledAt = null;
    recordHeight(video);
  });
  on("waiting", () => {
    if (playback.startup_s !== null) stalledAt ??= now();
  });
  on("resize", recordHeight);

  function videoObservation(video) {
    const frames = video.getVideoPlaybackQuality();
    const stalls = stalledAt === null ? playback.stalls : [...playback.stalls, [stalledAt, now()]];
    return {
      ...playback, stalls,
      played_s: video.currentTime,
      frames: { shown: frames.totalVideoFrames - frames.droppedVideoFrames, dropped: frames.droppedVideoFrames },
    };
  }

  if (window.RTCPeerConnection) {
    window.RTCPeerConnection = new Proxy(window.RTCPeerConnection, {
      construct(target, parameters, newTarget) {
        const connection = Reflect.construct(target, parameters, newTarget);
        connections.push(connection);
        return connection;
      },
    });
    setInterval(recordCallSecond, 1000);
  }

  // The far end is the video stream from which most bytes have arrived.
  async function recordCallSecond() {
    const streams = [];
    for (const connection of connections) {
      if (connection.connectionState === "closed") continue;
      for (const report of (await connection.getStats()).values()) {
        if (report.type === "inbound-rtp" && report.kind === "video") streams.push(report);
      }
    }
    const [far] = streams.sort((a, b) => b.bytesReceived - a.bytesReceived);
    if (!far) return;
    seconds.push({
      at_s: now(), height: far.frameHeight ?? 0, frames: far.framesDecoded, dropped: far.framesDropped ?? 0,
      freezes: far.freezeCount, received_bytes: far.bytesReceived,
    });
  }

  function observation() {
    if (connections.length) return { seconds_of_call: seconds };
    const video = mainVideo();
    return video ? videoObservation(video) : {};
  }
  Object.defineProperty(window, "observation", { value: observation });
})();
