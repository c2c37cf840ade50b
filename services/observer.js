// What a person notices of any page's film or call. Runs before the scripts of every page that a driver watches, and
// leaves the page alone; the driver asks `observed()` at any time. Seconds count from when the page began to open.
"use strict";
(() => {
  const now = () => performance.now() / 1000;
  const film = { startup_s: null, stalls: [], heights: [] };
  const connections = [];
  const seconds = [];
  let stalledAt = null;

  // Of several films the largest is the one that is watched.
  function watched() {
    const area = (video) => video.clientWidth * video.clientHeight;
    return [...document.querySelectorAll("video")].sort((one, other) => area(other) - area(one))[0];
  }

  function noteHeight(video) {
    if (video.videoHeight && video.videoHeight !== film.heights.at(-1)?.height) {
      film.heights.push({ at_s: now(), height: video.videoHeight });
    }
  }

  // Events of a film do not bubble; on their way down they can be caught here.
  const on = (name, note) => addEventListener(name, (event) => {
    if (event.target instanceof HTMLVideoElement && event.target === watched()) note(event.target);
  }, true);
  on("playing", (video) => {
    film.startup_s ??= now();
    if (stalledAt !== null) film.stalls.push([stalledAt, now()]);
    stalledAt = null;
    noteHeight(video);
  });
  on("waiting", () => {
    if (film.startup_s !== null) stalledAt ??= now();
  });
  on("resize", noteHeight);

  function ofFilm(video) {
    const frames = video.getVideoPlaybackQuality();
    const stalls = stalledAt === null ? film.stalls : [...film.stalls, [stalledAt, now()]];
    return {
      ...film, stalls,
      played_s: video.currentTime,
      frames: { shown: frames.totalVideoFrames - frames.droppedVideoFrames, dropped: frames.droppedVideoFrames },
    };
  }

  if (window.RTCPeerConnection) {
    window.RTCPeerConnection = new Proxy(window.RTCPeerConnection, {
      construct(target, given, asked) {
        const connection = Reflect.construct(target, given, asked);
        connections.push(connection);
        return connection;
      },
    });
    setInterval(noteCall, 1000);
  }

  // Of all pictures that arrive, the stream of which most has: the far end.
  async function noteCall() {
    const pictures = [];
    for (const connection of connections) {
      if (connection.connectionState === "closed") continue;
      for (const report of (await connection.getStats()).values()) {
        if (report.type === "inbound-rtp" && report.kind === "video") pictures.push(report);
      }
    }
    const [far] = pictures.sort((one, other) => other.bytesReceived - one.bytesReceived);
    if (!far) return;
    seconds.push({
      at_s: now(), height: far.frameHeight ?? 0, frames: far.framesDecoded, dropped: far.framesDropped ?? 0,
      freezes: far.freezeCount, received_bytes: far.bytesReceived,
    });
  }

  function observed() {
    if (connections.length) return { seconds_of_call: seconds };
    const video = watched();
    return video ? ofFilm(video) : {};
  }
  Object.defineProperty(window, "observed", { value: observed });
})();
