// node judge.js TRACE.json: when speedline takes the page to be 95 % complete, and its SpeedIndex, in seconds.
const speedline = require("speedline-core");

speedline(process.argv[2], { include: "speedIndex" }).then((judged) => {
  const progress = judged.frames.map((frame) => frame.getProgress());
  const from = progress.findLastIndex((percent) => percent < 95) + 1;
  console.log(
    JSON.stringify({
      visually_complete_s: (judged.frames[from].getTimeStamp() - judged.beginning) / 1000,
      speed_index_s: judged.speedIndex / 1000,
    }),
  );
});
