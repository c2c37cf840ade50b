// Observes the video or the call of any page as a person notices it. It runs in a world of its own before the page's
// scripts, does not change the page, and believes only events of the browser. The driver calls `observation()` at any
// time. Seconds count from the page's navigation start.
"use strict";
(() => {
  const WINDOW_FRAMES = 30;
  const now = () => performance.now() / 1000;
  const playback = { startup_s: null, stalls: [], heights: [] };
  const seconds = [];
  let stalledAt = null;

  // The largest of several videos is the one that a person watches. A page can replace `document.querySelectorAll` by
  // an element of that name, but not the prototype's.
  function mainVideo() {
    const area = (video) => video.clientWidth * video.clientHeight;
    return [...Document.prototype.querySelectorAll.call(document, "video")].sort((a, b) => area(b) - area(a))[0];
  }

  function recordHeight(video) {
    if (video.videoHeight && video.videoHeight !== playback.heights.at(-1)?.height) {
      playback.heights.push({ at_s: now(), height: video.videoHeight });
    }
  }

  // Events of a video do not bubble, so a listener here must capture them.
  const on = (name, handler) => addEventListener(name, (event) => {
    const video = event.target;
    if (event.isTrusted && video instanceof HTMLVideoElement && video === mainVideo()) handler(video);
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

  // The far end of a call is the main video, if it shows a stream. Its counters begin anew with every stream.
  const call = { stream: null, frames: 0, dropped: 0, freezes: 0, gapsMs: [], counted: { frames: 0, dropped: 0 } };

  function recordCallSecond() {
    const video = mainVideo();
    if (!(video?.srcObject instanceof MediaStream)) return;
    if (call.stream !== video.srcObject) follow(video);
    const { totalVideoFrames: frames, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality();
    call.frames += Math.max(0, frames - call.counted.frames);
    call.dropped += Math.max(0, dropped - call.counted.dropped);
    call.counted = { frames, dropped };
    seconds.push({
      at_s: now(), height: video.videoHeight, frames: call.frames, dropped: call.dropped, freezes: call.freezes,
    });
  }
  setInterval(recordCallSecond, 1000);

  // Counts the freezes of a stream. If the page was too busy to hear of some frames, they share the gap.
  function follow(video) {
    const stream = video.srcObject;
    let last = null;
    Object.assign(call, { stream, counted: { frames: 0, dropped: 0 } });
    function recordFrame(_, { presentationTime, presentedFrames }) {
      if (call.stream !== stream) return;
      const missed = last ? presentedFrames - last.presentedFrames : 0;
      if (missed > 0) recordGap((presentationTime - last.presentationTime) / missed);
      last = { presentationTime, presentedFrames };
      video.requestVideoFrameCallback(recordFrame);
    }
    video.requestVideoFrameCallback(recordFrame);
  }

  // Table 2 of Prudentia: a gap longer than max(3 d, d + 150 ms), where d is the mean gap; as WebRTC, over 30 frames.
  function recordGap(gapMs) {
    call.gapsMs.push(gapMs);
    if (call.gapsMs.length > WINDOW_FRAMES) call.gapsMs.shift();
    const mean = call.gapsMs.reduce((sum, gap) => sum + gap, 0) / call.gapsMs.length;
    if (gapMs > Math.max(3 * mean, mean + 150)) call.freezes += 1;
  }

  function observation() {
    const video = mainVideo();
    return { video: video ? videoObservation(video) : null, seconds_of_call: seconds };
  }
  Object.defineProperty(globalThis, "observation", { value: observation });
})();
