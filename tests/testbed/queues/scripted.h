// Shared by the tests of queue disciplines: packets, and the results of a discipline as short lists.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "queues/discipline.h"

namespace scripted {

constexpr std::int64_t ms = 1'000'000;

using Handles = std::vector<std::uintptr_t>;
using Words = std::vector<std::string>;

// Flows differ only in their hash.
inline queues::Packet packet(std::uintptr_t handle, std::uint32_t frame_bytes = 1514,
                             std::uint64_t flow = 0) {
  queues::Packet made;
  made.handle = handle;
  made.frame_bytes = frame_bytes;
  made.flow_hash = flow;
  return made;
}

// Sets the arrival time, as the bottleneck does, and enqueues. Returns the handles of the dropped packets.
inline Handles enqueue(queues::Discipline& queue, queues::Packet offered, std::int64_t now_ns) {
  offered.arrival_ns = now_ns;
  Handles dropped;
  for (const queues::Decision& drop : queue.enqueue(offered, now_ns)) {
    dropped.push_back(drop.packet.handle);
  }
  return dropped;
}

// "x10 11": 10 dropped, 11 delivered; "!12": 12 delivered with a mark; empty: nothing left.
inline std::string dequeue(queues::Discipline& queue, std::int64_t now_ns) {
  const queues::Dequeued step = queue.dequeue(now_ns);
  std::string words;
  for (const queues::Decision& drop : step.dropped) {
    words += drop.verdict == queues::Verdict::dropped_aqm ? "x" : "?";
    words += std::to_string(drop.packet.handle) + " ";
  }
  if (step.delivered) {
    words += step.delivered->verdict == queues::Verdict::marked ? "!" : "";
    words += std::to_string(step.delivered->packet.handle);
  }
  return words;
}

// Enqueues packets of one flow with these handles, `last` included, none of which may be dropped.
inline void fill(queues::Discipline& queue, std::uint64_t flow, std::uintptr_t first, std::uintptr_t last,
                 std::uint32_t frame_bytes = 1514, std::int64_t now_ns = 0) {
  for (std::uintptr_t handle = first; handle <= last; ++handle) {
    ASSERT_EQ(enqueue(queue, packet(handle, frame_bytes, flow), now_ns), Handles{});
  }
}

// The results of this many dequeues.
inline Words serve(queues::Discipline& queue, int packets, std::int64_t now_ns = 0) {
  Words words;
  for (int count = 0; count < packets; ++count) {
    words.push_back(dequeue(queue, now_ns));
  }
  return words;
}

}  // namespace scripted
