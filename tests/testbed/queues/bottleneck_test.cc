// A drop-tail queue and a link on a virtual clock: which packet is dropped, which leaves, and when.
#include "queues/bottleneck.h"

#include <gtest/gtest.h>

#include "queues/droptail.h"

namespace {

using namespace queues;

constexpr std::int64_t frame_time_ns = 1'538'000;  // (1514 + 24) * 8 bits at 8 Mbps

Bottleneck make_bottleneck(std::uint64_t rate_bps, std::size_t queue_packets) {
  return {Link(rate_bps, 24), std::make_unique<DropTail>(Limit{.packets = queue_packets})};
}

Packet packet(std::uintptr_t handle, std::uint32_t frame_bytes = 1514) {
  Packet made;
  made.handle = handle;
  made.frame_bytes = frame_bytes;
  return made;
}

// A span is valid until the next call only; the tests compare several.
std::vector<Outcome> copy(std::span<const Outcome> outcomes) { return {outcomes.begin(), outcomes.end()}; }

TEST(Bottleneck, FirstPacketFindsAnIdleLinkAndLeavesAtOnce) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 1);
  const auto outcomes = copy(bottleneck.arrive(packet(1), 5'000));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].verdict, Verdict::forwarded);
  EXPECT_EQ(outcomes[0].packet.arrival_ns, 5'000);
  EXPECT_EQ(outcomes[0].departure_ns, 5'000);
  EXPECT_EQ(outcomes[0].serialised_ns, 5'000 + frame_time_ns);
}

TEST(Bottleneck, QueueHoldsExactlyItsLimitBesideThePacketOnTheLink) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 3);
  EXPECT_EQ(bottleneck.arrive(packet(0), 0).size(), 1u);  // goes onto the link
  for (std::uintptr_t handle = 1; handle <= 3; ++handle) {
    EXPECT_TRUE(bottleneck.arrive(packet(handle), 10).empty()) << handle;
  }
  const auto outcomes = copy(bottleneck.arrive(packet(4), 20));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].packet.handle, 4u);
  EXPECT_EQ(outcomes[0].verdict, Verdict::dropped_tail);
  EXPECT_EQ(outcomes[0].departure_ns, 0);
  EXPECT_EQ(outcomes[0].dropped_ns, 20);
  EXPECT_EQ(outcomes[0].packet.backlog_packets, 3u);
  EXPECT_EQ(outcomes[0].packet.backlog_bytes, 3u * 1514u);
}

TEST(Bottleneck, HeadFreesItsPlaceWhenItGoesOntoTheLink) {
  Bottleneck early = make_bottleneck(8'000'000, 1);
  early.arrive(packet(0), 0);
  early.arrive(packet(1), 0);
  const auto dropped = copy(early.arrive(packet(2), frame_time_ns - 1));
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].packet.handle, 2u);
  EXPECT_EQ(dropped[0].verdict, Verdict::dropped_tail);

  Bottleneck on_time = make_bottleneck(8'000'000, 1);
  on_time.arrive(packet(0), 0);
  on_time.arrive(packet(1), 0);
  const auto left = copy(on_time.arrive(packet(2), frame_time_ns));
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].packet.handle, 1u);
  EXPECT_EQ(left[0].verdict, Verdict::forwarded);
  EXPECT_EQ(left[0].departure_ns, frame_time_ns);
}

TEST(Bottleneck, BackToBackDeparturesAreOneFrameTimeApart) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 100);
  for (std::uintptr_t handle = 0; handle < 50; ++handle) {
    bottleneck.arrive(packet(handle), 1'000);
  }
  const auto outcomes = copy(bottleneck.advance(1'000 + 49 * frame_time_ns));
  ASSERT_EQ(outcomes.size(), 49u);
  for (std::size_t number = 0; number < outcomes.size(); ++number) {
    EXPECT_EQ(outcomes[number].packet.handle, number + 1);
    EXPECT_EQ(outcomes[number].departure_ns, 1'000 + static_cast<std::int64_t>(number + 1) * frame_time_ns);
  }
}

TEST(Bottleneck, NothingDepartsBeforeItsTime) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 100);
  bottleneck.arrive(packet(0), 0);
  bottleneck.arrive(packet(1), 0);
  EXPECT_EQ(bottleneck.next_departure_ns(), frame_time_ns);
  EXPECT_TRUE(bottleneck.advance(frame_time_ns - 1).empty());
  EXPECT_EQ(bottleneck.advance(frame_time_ns).size(), 1u);
  EXPECT_EQ(bottleneck.next_departure_ns(), std::nullopt);
}

// Arrivals every third of a frame time overload the queue. One caller calls at every departure, the other
// only at the arrivals.
TEST(Bottleneck, LateCallerChangesNeitherDropsNorTimes) {
  Bottleneck on_time = make_bottleneck(8'000'000, 4);
  Bottleneck late = make_bottleneck(8'000'000, 4);
  std::vector<Outcome> from_on_time;
  std::vector<Outcome> from_late;
  const auto append = [](std::vector<Outcome>& to, std::span<const Outcome> more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (std::uintptr_t handle = 0; handle < 60; ++handle) {
    const std::int64_t now_ns = static_cast<std::int64_t>(handle) * 512'667;
    while (on_time.next_departure_ns().value_or(now_ns) < now_ns) {
      append(from_on_time, on_time.advance(*on_time.next_departure_ns()));
    }
    append(from_on_time, on_time.arrive(packet(handle), now_ns));
    append(from_late, late.arrive(packet(handle), now_ns));
  }
  append(from_on_time, on_time.advance(1'000'000'000));
  append(from_late, late.advance(1'000'000'000));
  ASSERT_EQ(from_on_time.size(), 60u);
  ASSERT_EQ(from_late.size(), 60u);
  std::size_t drops = 0;
  for (std::size_t number = 0; number < 60; ++number) {
    EXPECT_EQ(from_late[number].packet.handle, from_on_time[number].packet.handle);
    EXPECT_EQ(from_late[number].verdict, from_on_time[number].verdict);
    EXPECT_EQ(from_late[number].departure_ns, from_on_time[number].departure_ns);
    drops += is_drop(from_late[number].verdict) ? 1 : 0;
  }
  EXPECT_GT(drops, 30u);  // two thirds of the offered load do not fit
}

TEST(Bottleneck, BacklogExcludesThePacketItselfAndTheOneOnTheLink) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 10);
  std::vector<Outcome> outcomes = copy(bottleneck.arrive(packet(0, 100), 0));
  bottleneck.arrive(packet(1, 200), 0);
  bottleneck.arrive(packet(2, 300), 0);
  bottleneck.arrive(packet(3, 400), 0);
  const auto later = copy(bottleneck.advance(1'000'000'000));
  outcomes.insert(outcomes.end(), later.begin(), later.end());
  ASSERT_EQ(outcomes.size(), 4u);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {{0, 0}, {0, 0}, {1, 200}, {2, 500}};
  for (std::size_t number = 0; number < 4; ++number) {
    EXPECT_EQ(outcomes[number].packet.backlog_packets, expected[number].first);
    EXPECT_EQ(outcomes[number].packet.backlog_bytes, expected[number].second);
  }
}

TEST(Bottleneck, IdleTimeIsNotSaved) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 10);
  bottleneck.arrive(packet(0), 0);
  const auto first = copy(bottleneck.arrive(packet(1), 10 * frame_time_ns));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].departure_ns, 10 * frame_time_ns);
  EXPECT_TRUE(bottleneck.arrive(packet(2), 10 * frame_time_ns).empty());
  EXPECT_EQ(bottleneck.next_departure_ns(), 11 * frame_time_ns);
}

TEST(Bottleneck, UnlimitedRateNeverQueues) {
  Bottleneck bottleneck = make_bottleneck(0, 1);
  for (std::uintptr_t handle = 0; handle < 5; ++handle) {
    const auto outcomes = copy(bottleneck.arrive(packet(handle), 70));
    ASSERT_EQ(outcomes.size(), 1u);
    EXPECT_EQ(outcomes[0].packet.handle, handle);
    EXPECT_EQ(outcomes[0].departure_ns, 70);
    EXPECT_EQ(outcomes[0].serialised_ns, 70);
  }
}

TEST(Bottleneck, ClearReturnsTheQueuedPacketsOnly) {
  Bottleneck bottleneck = make_bottleneck(8'000'000, 10);
  for (std::uintptr_t handle = 0; handle < 4; ++handle) {
    bottleneck.arrive(packet(handle), 0);
  }
  const std::vector<Packet> left = bottleneck.clear(1);
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left.front().handle, 1u);
  EXPECT_EQ(left.back().handle, 3u);
  EXPECT_EQ(bottleneck.next_departure_ns(), std::nullopt);
}

// Holds three packets and drops the oldest for a new one; drops odd handles at dequeue. An AQM may do all of
// this.
class ThreePackets final : public Discipline {
 public:
  std::span<const Decision> enqueue(const Packet& offered, std::int64_t) override {
    dropped_.clear();
    if (queue_.size() == 3) {
      dropped_.push_back({queue_.pop(), Verdict::dropped_aqm});
    }
    queue_.push(offered);
    return dropped_;
  }
  Dequeued dequeue(std::int64_t) override {
    dropped_.clear();
    while (!queue_.empty() && queue_.front().handle % 2 == 1) {
      dropped_.push_back({queue_.pop(), Verdict::dropped_aqm});
    }
    if (queue_.empty()) {
      return {dropped_, std::nullopt};
    }
    return {dropped_, Decision{queue_.pop(), Verdict::marked}};
  }
  std::size_t packets() const override { return queue_.size(); }
  std::uint64_t bytes() const override { return 0; }

 private:
  Ring<Packet> queue_;
  std::vector<Decision> dropped_;
};

TEST(Bottleneck, ReportsDropsOfOtherPacketsAndAtDequeueInOrder) {
  Bottleneck bottleneck(Link(8'000'000, 24), std::make_unique<ThreePackets>());
  const auto first = copy(bottleneck.arrive(packet(0), 0));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].verdict, Verdict::marked);
  bottleneck.arrive(packet(2), 0);
  bottleneck.arrive(packet(1), 0);
  bottleneck.arrive(packet(3), 0);
  const auto pushed_out = copy(bottleneck.arrive(packet(4), 0));
  ASSERT_EQ(pushed_out.size(), 1u);
  EXPECT_EQ(pushed_out[0].packet.handle, 2u);
  EXPECT_EQ(pushed_out[0].verdict, Verdict::dropped_aqm);
  const auto dequeued = copy(bottleneck.advance(frame_time_ns));
  ASSERT_EQ(dequeued.size(), 3u);
  EXPECT_EQ(dequeued[0].packet.handle, 1u);
  EXPECT_EQ(dequeued[1].packet.handle, 3u);
  EXPECT_EQ(dequeued[1].departure_ns, 0);
  EXPECT_EQ(dequeued[1].dropped_ns, frame_time_ns);
  EXPECT_EQ(dequeued[2].packet.handle, 4u);
  EXPECT_EQ(dequeued[2].verdict, Verdict::marked);
  EXPECT_EQ(dequeued[2].departure_ns, frame_time_ns);
  EXPECT_EQ(dequeued[2].dropped_ns, 0);
}

TEST(Bottleneck, DropsAtDequeueCostTheLinkNothing) {
  Bottleneck bottleneck(Link(8'000'000, 24), std::make_unique<ThreePackets>());
  bottleneck.arrive(packet(0), 0);
  bottleneck.arrive(packet(1), 0);
  EXPECT_EQ(bottleneck.advance(frame_time_ns).size(), 1u);  // packet 1 is dropped
  const auto next = copy(bottleneck.arrive(packet(2), frame_time_ns + 5));
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].departure_ns, frame_time_ns + 5);
}

}  // namespace
