// The access link of one service: its rate, queue, delay and loss.
#include "queues/access.h"

#include <gtest/gtest.h>

#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

constexpr std::int64_t frame_time_ns = 1'538'000;  // (1514 + 24) * 8 bits at 8 Mbps

Chance never() { return {0, 1, 1}; }

TEST(Access, TakesSerialisationThenTheDelay) {
  Access access(Link(8'000'000, 24), 10, 5 * ms, never());
  EXPECT_EQ(access.enter(1514, 0).arrival_ns, frame_time_ns + 5 * ms);
  EXPECT_EQ(access.enter(1514, 0).arrival_ns, 2 * frame_time_ns + 5 * ms);
  EXPECT_EQ(access.enter(1514, 100 * ms).arrival_ns, 100 * ms + frame_time_ns + 5 * ms);
}

TEST(Access, QueueHoldsItsLimitBesideThePacketOnTheLink) {
  Access access(Link(8'000'000, 24), 2, 0, never());
  EXPECT_FALSE(access.enter(1514, 0).lost);  // on the link
  EXPECT_FALSE(access.enter(1514, 0).lost);
  EXPECT_FALSE(access.enter(1514, 0).lost);
  EXPECT_TRUE(access.enter(1514, 0).lost);
  EXPECT_TRUE(access.enter(1514, frame_time_ns - 1).lost);
  const auto next = access.enter(1514, frame_time_ns);  // the second is on the link now
  EXPECT_FALSE(next.lost);
  EXPECT_EQ(next.arrival_ns, 4 * frame_time_ns);  // the lost packets took no time
}

TEST(Access, WithoutARateNothingIsQueued) {
  Access access(Link(0, 24), 0, 3 * ms, never());
  for (int count = 0; count < 5; ++count) {
    const auto passage = access.enter(1514, 7);
    EXPECT_FALSE(passage.lost);
    EXPECT_EQ(passage.arrival_ns, 7 + 3 * ms);
  }
}

TEST(Access, RandomlyLostPacketsTakeTheirTimeOnTheLink) {
  Access lossy(Link(8'000'000, 24), 1000, 0, Chance(0.5, 3, 1));
  Access sound(Link(8'000'000, 24), 1000, 0, never());
  int lost = 0;
  for (int count = 0; count < 100; ++count) {
    const auto passage = lossy.enter(1514, 0);
    EXPECT_EQ(passage.arrival_ns, sound.enter(1514, 0).arrival_ns);
    lost += passage.lost ? 1 : 0;
  }
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, 100);
}

}  // namespace
