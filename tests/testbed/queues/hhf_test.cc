// HHF on a virtual clock: which flows are heavy hitters and when, which bucket is served, and what is dropped.
// Worked out by hand from the rules at the head of heavy_hitters.h and hhf.h.
#include "queues/hhf.h"

#include <gtest/gtest.h>

#include <array>

#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

// Three flows; packets of a have handles from 100, those of b from 200, those of c from 300.
constexpr std::uint64_t a = 1;
constexpr std::uint64_t b = 2;
constexpr std::uint64_t c = 3;

HeavyHitters make_filter(HeavyHitterParameters parameters) { return {parameters, 5}; }

// Whether each of these packets, which arrive at once, is one of a heavy hitter.
std::vector<bool> contain(HeavyHitters& filter, std::uint64_t flow, int packets, std::uint32_t frame_bytes,
                          std::int64_t now_ns) {
  std::vector<bool> found;
  for (int count = 0; count < packets; ++count) {
    found.push_back(filter.contain(packet(0, frame_bytes, flow), now_ns));
  }
  return found;
}

TEST(HeavyHitters, AFlowIsOneFromThePacketThatExceedsTheThreshold) {
  HeavyHitters filter = make_filter({.admit_bytes = 3000});
  EXPECT_EQ(contain(filter, a, 5, 1000, 0), (std::vector{false, false, false, true, true}));
  EXPECT_EQ(contain(filter, b, 1, 3001, 0), std::vector{true});
}

// Resets at 0, at 41 and at 82 ms: only a time above 40 ms ends a period.
TEST(HeavyHitters, OnlyTheBytesSinceTheLastResetCount) {
  HeavyHitters filter = make_filter({.admit_bytes = 3000});
  EXPECT_EQ(contain(filter, a, 2, 1000, 0), (std::vector{false, false}));
  EXPECT_EQ(contain(filter, a, 1, 1000, 40 * ms), std::vector{false});
  EXPECT_EQ(contain(filter, a, 3, 1000, 41 * ms), (std::vector{false, false, false}));
  EXPECT_EQ(contain(filter, b, 1, 2000, 81 * ms), std::vector{false});
  EXPECT_EQ(contain(filter, b, 1, 2000, 82 * ms), std::vector{false});
  EXPECT_EQ(contain(filter, b, 1, 2000, 82 * ms), std::vector{true});
}

TEST(HeavyHitters, AFlowIsOneUntilItHasBeenSilentForLongerThanTheTimeout) {
  HeavyHitters filter = make_filter({.admit_bytes = 3000, .evict_timeout_ns = 100 * ms});
  EXPECT_EQ(contain(filter, a, 1, 3001, 0), std::vector{true});
  EXPECT_EQ(contain(filter, a, 1, 60, 100 * ms), std::vector{true});
  EXPECT_EQ(contain(filter, a, 1, 60, 200 * ms), std::vector{true});
  EXPECT_EQ(contain(filter, a, 1, 60, 301 * ms), std::vector{false});
}

TEST(HeavyHitters, AFullTableTakesNoNewOneBeforeOneHasExpired) {
  HeavyHitters filter =
      make_filter({.admit_bytes = 3000, .evict_timeout_ns = 100 * ms, .hh_flows_limit = 2});
  EXPECT_EQ(contain(filter, a, 1, 3001, 0), std::vector{true});
  EXPECT_EQ(contain(filter, b, 1, 3001, 50 * ms), std::vector{true});
  EXPECT_EQ(contain(filter, c, 1, 3001, 100 * ms), std::vector{false});
  EXPECT_EQ(contain(filter, c, 1, 3001, 101 * ms), std::vector{true});
}

// Where the counters of a flow are with seed 0, as the head of heavy_hitters.h says.
std::array<std::uint32_t, 4> places(std::uint64_t flow) {
  const auto number = static_cast<std::uint32_t>(perturbed(flow, 0));
  const std::uint32_t low = number & 1023;
  const std::uint32_t middle = number >> 10 & 1023;
  const std::uint32_t high = number >> 20 & 1023;
  return {low, middle, high, low ^ middle ^ high ^ (number >> 30)};
}

// Four flows, each of which shares one of the counters of flow a, and no other.
std::vector<std::uint64_t> neighbours_of_a() {
  std::vector<std::uint64_t> found;
  for (std::uint64_t flow = 100; found.size() < 4; ++flow) {
    int shared = 0;
    for (std::size_t array = 0; array < 4; ++array) {
      shared += places(flow)[array] == places(a)[array] ? 1 : 0;
    }
    const std::size_t wanted = found.size();
    if (shared == 1 && places(flow)[wanted] == places(a)[wanted]) {
      found.push_back(flow);
    }
  }
  return found;
}

TEST(HeavyHitters, AFlowIsTakenForOneOnlyIfOthersRaisedAllItsCounters) {
  HeavyHitters filter({.admit_bytes = 3000}, 0);
  for (const std::uint64_t neighbour : neighbours_of_a()) {
    EXPECT_EQ(contain(filter, a, 1, 60, 0), std::vector{false});
    EXPECT_EQ(contain(filter, neighbour, 1, 3000, 0), std::vector{false});
  }
  EXPECT_EQ(contain(filter, a, 1, 60, 0), std::vector{true});
}

// a's counters are 2000. Each neighbour has 0 in the other three, so 1000 is its new least: it leaves the 2000
// as they are. Without this, all of a's counters would be 3000.
TEST(HeavyHitters, ACounterThatIsHighEnoughIsNotRaised) {
  HeavyHitters filter({.admit_bytes = 3000}, 0);
  EXPECT_EQ(contain(filter, a, 2, 1000, 0), (std::vector{false, false}));
  for (const std::uint64_t neighbour : neighbours_of_a()) {
    EXPECT_EQ(contain(filter, neighbour, 1, 1000, 0), std::vector{false});
  }
  EXPECT_EQ(contain(filter, a, 2, 1000, 0), (std::vector{false, true}));
}

// a's counters stay at 2000 while it is a heavy hitter: 500 bytes more are no reason to become one again.
TEST(HeavyHitters, PacketsOfHeavyHittersAreNotCounted) {
  HeavyHitters filter =
      make_filter({.admit_bytes = 3000, .reset_timeout_ns = 1000 * ms, .evict_timeout_ns = 100 * ms});
  EXPECT_EQ(contain(filter, a, 4, 2000, 0), (std::vector{false, true, true, true}));
  EXPECT_EQ(contain(filter, a, 2, 500, 101 * ms), (std::vector{false, false}));
  EXPECT_EQ(contain(filter, a, 1, 500, 101 * ms), std::vector{true});
}

Hhf make_queue(Limit limit = {.packets = 100}) {
  return {limit, HhfParameters{.heavy_hitters = {.admit_bytes = 5000}, .quantum_bytes = 1500}, 5};
}

// 100 to 104 arrive at once; 5000 bytes are not above the threshold. From 105 on a is a heavy hitter. Credits of
// the others 3000: 2000, 1000, 0 after 100 to 102, then 3000 as an old bucket. The heavy hitters have 1500:
// 500 after 105, -500 after 106. The others 2000 after 103, 1000 after 104, then empty. Heavy: 1000 again.
TEST(Hhf, AHeavyHitterWaitsWhileTheOthersUseTheirQuantum) {
  Hhf queue = make_queue();
  fill(queue, a, 100, 109, 1000);
  EXPECT_EQ(serve(queue, 11),
            (Words{"100", "101", "102", "105", "106", "103", "104", "107", "108", "109", ""}));
}

// As above up to 108; 109 leaves the heavy hitters with -500. b finds the bucket of the others empty, which is
// new again: 200 to 202 use up its 3000. Then it has 3000 as an old one, and the heavy hitters, whose turn it
// is, only gain their 1500: 203 is next.
TEST(Hhf, AFlowThatIsNoHeavyHitterIsServedAheadOfTheBacklog) {
  Hhf queue = make_queue();
  fill(queue, a, 100, 112, 1000);
  EXPECT_EQ(serve(queue, 9), (Words{"100", "101", "102", "105", "106", "103", "104", "107", "108"}));
  EXPECT_EQ(serve(queue, 1), Words{"109"});
  fill(queue, b, 200, 203, 1000);
  EXPECT_EQ(serve(queue, 7), (Words{"200", "201", "202", "203", "110", "111", "112"}));
}

TEST(Hhf, WeightAndQuantumSetTheShares) {
  Hhf queue({.packets = 1000},
            HhfParameters{.heavy_hitters = {.admit_bytes = 5000}, .non_hh_weight = 3, .quantum_bytes = 1000}, 5);
  fill(queue, a, 100, 104, 1000);
  EXPECT_EQ(serve(queue, 6), (Words{"100", "101", "102", "103", "104", ""}));
  fill(queue, a, 105, 120, 1000);
  for (std::uint64_t flow = 0; flow < 20; ++flow) {
    fill(queue, 1000 + flow, 200 + flow, 200 + flow, 1000);
  }
  EXPECT_EQ(serve(queue, 12), (Words{"200", "201", "202", "105", "203", "204", "205", "106", "206", "207", "208", "107"}));
}

TEST(Hhf, WhenFullTheOldestPacketOfAHeavyHitterIsDropped) {
  Hhf queue = make_queue({.packets = 8});
  fill(queue, a, 100, 107, 1000);  // 105, 106 and 107 are a heavy hitter's
  EXPECT_EQ(enqueue(queue, packet(200, 60, b), 0), Handles{105});
  EXPECT_EQ(enqueue(queue, packet(108, 1000, a), 0), Handles{106});
  EXPECT_EQ(queue.packets(), 8u);
  EXPECT_EQ(queue.bytes(), 7060u);
}

TEST(Hhf, WithoutHeavyHittersTheOldestPacketIsDropped) {
  Hhf queue = make_queue({.packets = 3});
  fill(queue, a, 100, 101, 1000);
  fill(queue, b, 200, 200, 1000);
  const Packet last = packet(300, 1000, c);
  const auto dropped = queue.enqueue(last, 0);
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].packet.handle, 100u);
  EXPECT_EQ(dropped[0].verdict, Verdict::dropped_tail);
}

TEST(Hhf, DropsUntilTheLimitInBytesIsMet) {
  Hhf queue = make_queue({.bytes = 3000});
  fill(queue, a, 100, 102, 1000);
  EXPECT_EQ(enqueue(queue, packet(200, 1500, b), 0), (Handles{100, 101}));
  EXPECT_EQ(queue.bytes(), 2500u);
}

}  // namespace
