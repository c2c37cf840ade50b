// RED on a virtual clock, worked by hand. Frames of 1000 bytes, weight 1/2, minimum 2000, maximum 3000 bytes, and
// a probability between them that practically never happens. Not gentle. Average packets take 1 ms.
// 0 to 5 arrive at 0. They find 0, 1000, 2000, 3000, 4000 and 4000 bytes; the averages are 0, 500, 1250, 2125,
// 3062.5 and 3531.25, so that 4 and 5 are dropped or marked.
#include "queues/red.h"

#include <gtest/gtest.h>

#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

RedParameters parameters(bool ecn = false) {
  return {.min_bytes = 2000,
          .max_bytes = 3000,
          .probability = 1e-12,
          .weight = 0.5,
          .packet_ns = ms,
          .gentle = false,
          .ecn = ecn};
}

Handles offer(Red& red, std::uintptr_t handle, std::int64_t now_ns, bool ecn_capable = false) {
  Packet offered = packet(handle, 1000);
  offered.ecn_capable = ecn_capable;
  return enqueue(red, offered, now_ns);
}

Handles fill(Red& red, bool ecn_capable = false) {
  Handles dropped;
  for (std::uintptr_t handle = 0; handle <= 5; ++handle) {
    const Handles more = offer(red, handle, 0, ecn_capable);
    dropped.insert(dropped.end(), more.begin(), more.end());
  }
  return dropped;
}

TEST(Red, DropsFromTheMaximumOfTheAverageOn) {
  Red red({.packets = 100}, parameters(), 1);
  EXPECT_EQ(fill(red), (Handles{4, 5}));
}

// Marked packets stay: 5 finds 5000 bytes, an average of 4031.25.
TEST(Red, MarksWhatCanCarryAMark) {
  Red red({.packets = 100}, parameters(true), 1);
  EXPECT_EQ(fill(red, true), Handles{});
  for (const char* word : {"0", "1", "2", "3", "!4", "!5", ""}) {
    EXPECT_EQ(dequeue(red, ms), word);
  }
}

// Idle from 10 ms on with an average of 3531.25: until 11 ms no average packet would have passed.
TEST(Red, TheAverageAgesByWholePacketsWhileTheLinkIsIdle) {
  for (const auto& [arrival_ns, dropped] : {std::pair{11 * ms - 1, Handles{9}}, std::pair{11 * ms, Handles{}}}) {
    Red red({.packets = 100}, parameters(), 1);
    fill(red);
    while (red.packets() > 0) {
      dequeue(red, 5 * ms);
    }
    EXPECT_EQ(dequeue(red, 10 * ms), "");
    EXPECT_EQ(offer(red, 9, arrival_ns), dropped);
  }
}

// Between the thresholds, p_b = 1/2 where the average is 2500: of two packets in a row at least one is dropped.
TEST(Red, SpacesItsDropsEvenly) {
  RedParameters half = parameters();
  half.probability = 1;
  half.weight = 1;
  Red red({.packets = 100}, half, 1);
  ASSERT_EQ(enqueue(red, packet(0, 1250), 0), Handles{});
  ASSERT_EQ(enqueue(red, packet(1, 1250), 0), Handles{});
  int dropped = 0;
  for (std::uintptr_t handle = 2; handle < 102; handle += 2) {
    const auto first = enqueue(red, packet(handle, 0), 0).size();
    const auto second = enqueue(red, packet(handle + 1, 0), 0).size();
    ASSERT_GE(first + second, 1u) << handle;
    dropped += static_cast<int>(first + second);
  }
  EXPECT_LT(dropped, 100);
}

TEST(Red, DropsAPacketThatArrivesAtAFullQueue) {
  Red red({.packets = 2}, parameters(), 1);
  EXPECT_EQ(offer(red, 0, 0), Handles{});
  EXPECT_EQ(offer(red, 1, 0), Handles{});
  const auto dropped = red.enqueue(packet(2, 1000), 0);
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].verdict, Verdict::dropped_tail);
}

}  // namespace
