// FQ on a virtual clock: whose turn it is, and which packets do not fit. The expected orders were worked out by
// hand from the rules of deficit round robin (Shreedhar and Varghese 1996).
#include "queues/fq.h"

#include <gtest/gtest.h>

#include <map>

#include "queues/bottleneck.h"
#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

// Four flows; packets of a have handles from 100, those of b from 200, and so on.
constexpr std::uint64_t a = 1;
constexpr std::uint64_t b = 2;
constexpr std::uint64_t c = 3;
constexpr std::uint64_t d = 4;

Fq make_queue(std::int64_t quantum_bytes = 1514, Limit limit = {.packets = 100}, double flow_fraction = 0.2) {
  return {limit, FqParameters{.quantum_bytes = quantum_bytes, .flow_fraction = flow_fraction}};
}

void add(Fq& queue, std::uint64_t flow, std::uintptr_t first, const std::vector<std::uint32_t>& frame_bytes) {
  for (const std::uint32_t bytes : frame_bytes) {
    fill(queue, flow, first, first, bytes);
    ++first;
  }
}

// With a quantum of 500, "200 -> 300" is a packet of 200 bytes that leaves a deficit of 300:
//   first turns   a 500: 200 -> 300, 750 does not fit. b 500: 500 -> 0. c 500: 100 -> 400, 600 does not fit.
//                 d 500: 180 -> 320, 700 does not fit.
//   second turns  a 800: 750 -> 50, 20 -> 30, empty. b 500: 500 -> 0, empty. c 900: 600 -> 300, 200 -> 100,
//                 empty. d 820: 700 -> 120, 50 -> 70, empty.
TEST(Fq, AFlowSendsWhatItsDeficitAllowsAndKeepsTheRest) {
  Fq queue = make_queue(500);
  add(queue, a, 100, {200, 750, 20});
  add(queue, b, 200, {500, 500});
  add(queue, c, 300, {100, 600, 200});
  add(queue, d, 400, {180, 700, 50});
  EXPECT_EQ(serve(queue, 12),
            (Words{"100", "200", "300", "400", "101", "102", "201", "301", "302", "401", "402", ""}));
}

TEST(Fq, APacketLargerThanTheQuantumWaitsForSeveralTurns) {
  Fq queue = make_queue(500);
  add(queue, a, 100, {1400});
  add(queue, b, 200, {400, 400, 400, 400});
  EXPECT_EQ(serve(queue, 5), (Words{"200", "201", "100", "202", "203"}));  // 500, 1000, then 1500 >= 1400
}

// a leaves with 1400 of its 1500 unused. If it kept them, it would send 101 and 102 in one turn.
TEST(Fq, AFlowThatWasEmptyStartsWithoutDeficit) {
  Fq queue = make_queue(1500);
  add(queue, a, 100, {100});
  add(queue, b, 200, {1500, 1500});
  EXPECT_EQ(serve(queue, 2), (Words{"100", "200"}));
  add(queue, a, 101, {1000, 1000});
  EXPECT_EQ(serve(queue, 3), (Words{"101", "201", "102"}));
}

TEST(Fq, ANewFlowWaitsForOneRoundAtMost) {
  Fq queue = make_queue();
  fill(queue, a, 100, 109);
  fill(queue, b, 200, 209);
  EXPECT_EQ(serve(queue, 1), Words{"100"});
  fill(queue, c, 300, 300);
  EXPECT_EQ(serve(queue, 4), (Words{"200", "300", "101", "201"}));
}

TEST(Fq, AFlowHoldsItsFractionOfTheLimitAndDropsWhatComesThen) {
  Fq queue = make_queue(1514, {.packets = 10});
  fill(queue, a, 100, 101);  // 1/5 of 10
  EXPECT_EQ(enqueue(queue, packet(102, 60, a), 0), Handles{102});
  fill(queue, b, 200, 201);
  EXPECT_EQ(serve(queue, 1), Words{"100"});
  fill(queue, a, 103, 103);
  EXPECT_EQ(serve(queue, 4), (Words{"200", "101", "201", "103"}));
}

TEST(Fq, AllFlowsTogetherHoldTheLimit) {
  Fq queue = make_queue(1514, {.packets = 3}, 0.67);  // 2 of 3
  fill(queue, a, 100, 101);
  fill(queue, b, 200, 200);
  EXPECT_EQ(enqueue(queue, packet(201, 1514, b), 0), Handles{201});
  EXPECT_EQ(enqueue(queue, packet(300, 1514, c), 0), Handles{300});
  EXPECT_EQ(serve(queue, 4), (Words{"100", "200", "101", ""}));
}

TEST(Fq, ALimitInBytesHoldsForFlowsToo) {
  Fq queue = make_queue(1514, {.bytes = 10'000});
  fill(queue, a, 100, 101, 1000);
  EXPECT_EQ(enqueue(queue, packet(102, 1, a), 0), Handles{102});
  fill(queue, b, 200, 200, 1500);
  EXPECT_EQ(enqueue(queue, packet(201, 501, b), 0), Handles{201});
  fill(queue, b, 202, 202, 500);
  EXPECT_EQ(queue.bytes(), 4000u);
}

TEST(Fq, AFlowAlwaysHoldsOnePacket) {
  Fq queue = make_queue(1514, {.packets = 4}, 0.1);
  fill(queue, a, 100, 100);
  EXPECT_EQ(enqueue(queue, packet(101, 1514, a), 0), Handles{101});
  fill(queue, b, 200, 200);
}

// One packet at a time, each of another flow: the queue remembers none of the flows.
TEST(Fq, AFlowThatHasLeftIsForgotten) {
  Fq queue = make_queue();
  for (std::uint64_t flow = 0; flow < 100'000; ++flow) {
    fill(queue, flow, flow, flow, 60);
    ASSERT_EQ(queue.flows(), 1u);
    ASSERT_EQ(dequeue(queue, 0), std::to_string(flow));
  }
  EXPECT_EQ(queue.flows(), 0u);
}

// At 8 Mbps a full frame takes 1.538 ms. For 400 such times a sends twice what the link carries, and b a
// quarter of it: b loses nothing, and a gets the rest.
TEST(Fq, ASlowFlowLosesNothingBesideAFastOne) {
  Bottleneck bottleneck(Link(8'000'000, 24), std::make_unique<Fq>(make_queue(1514, {.packets = 20})));
  std::map<std::pair<std::uint64_t, bool>, int> packets;  // by flow, and whether they were dropped
  const auto arrive = [&](std::uint64_t flow, std::int64_t now_ns) {
    for (const Outcome& outcome : bottleneck.arrive(packet(0, 1514, flow), now_ns)) {
      ++packets[{outcome.packet.flow_hash, is_drop(outcome.verdict)}];
    }
  };
  for (int step = 0; step < 800; ++step) {
    arrive(a, step * 769'000);
    if (step % 8 == 0) {
      arrive(b, step * 769'000);
    }
  }
  EXPECT_EQ((packets[{b, true}]), 0);
  EXPECT_NEAR((packets[{b, false}]), 100, 1);
  EXPECT_NEAR((packets[{a, false}]), 300, 1);
}

}  // namespace
