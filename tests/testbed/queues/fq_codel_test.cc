// FQ-CoDel on a virtual clock: which flow is served when, and which loses packets when the queue is full (RFC
// 8290, section 4).
#include "queues/fq_codel.h"

#include <gtest/gtest.h>

#include <map>

#include "queues/bottleneck.h"
#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

// Three flows; packets of a have handles from 100, those of b from 200, those of c from 300.
constexpr std::uint64_t a = 1;
constexpr std::uint64_t b = 2;
constexpr std::uint64_t c = 3;

FqCodel make_queue(std::uint32_t quantum_bytes = 1514, Limit limit = {.packets = 1000}) {
  return {limit, FqCodelParameters{.quantum_bytes = quantum_bytes}, 5};
}

TEST(FqCodel, ASparseFlowIsServedBeforeTheBacklogOfAnother) {
  FqCodel queue = make_queue();
  fill(queue, a, 100, 109);
  EXPECT_EQ(serve(queue, 1), Words{"100"});  // a has used up its quantum
  fill(queue, b, 200, 200);
  EXPECT_EQ(serve(queue, 3), (Words{"200", "101", "102"}));
}

// Credits after each packet: a 1514 - 1514 = 0. b 1514 - 500 = 1014, 514, 14, -486. Then in turn, from
// credits + 1514: a 0; b 1028 - 500 = 528, 28, -472; a 0; b 1042, so 542, 42, -458.
TEST(FqCodel, TurnsAreByBytesNotPackets) {
  FqCodel queue = make_queue();
  fill(queue, a, 100, 109);
  fill(queue, b, 200, 219, 500);
  EXPECT_EQ(serve(queue, 13), (Words{"100", "200", "201", "202", "203", "101", "204", "205", "206", "102",
                                     "207", "208", "209"}));
}

TEST(FqCodel, AnEmptyNewQueueTakesATurnAsAnOldOneFirst) {
  FqCodel queue = make_queue(3028);
  fill(queue, a, 100, 109);
  EXPECT_EQ(serve(queue, 2), (Words{"100", "101"}));  // a's quantum
  fill(queue, b, 200, 200, 500);
  EXPECT_EQ(serve(queue, 2), (Words{"200", "102"}));  // b is empty, goes behind a
  fill(queue, b, 201, 201, 500);
  EXPECT_EQ(serve(queue, 2), (Words{"103", "201"}));  // a's turn continues first
  EXPECT_EQ(serve(queue, 1), Words{"104"});           // b is empty again: off the list
  fill(queue, b, 202, 202, 500);
  EXPECT_EQ(serve(queue, 2), (Words{"202", "105"}));  // b returns as a new queue during a's turn
}

TEST(FqCodel, FlowsInOneQueueKeepTheirOrderOfArrival) {
  FqCodel queue({.packets = 100}, FqCodelParameters{.queues = 1}, 5);
  fill(queue, a, 100, 101);
  fill(queue, b, 200, 200);
  fill(queue, a, 102, 102);
  EXPECT_EQ(serve(queue, 4), (Words{"100", "101", "200", "102"}));
}

// The order in which the packets of 16 flows leave 4 queues. It shows which flows share a queue.
Words order_with(std::uint64_t seed) {
  FqCodel queue({.packets = 100}, FqCodelParameters{.queues = 4}, seed);
  for (std::uintptr_t flow = 0; flow < 16; ++flow) {
    fill(queue, flow, flow, flow);
  }
  return serve(queue, 16);
}

TEST(FqCodel, TheSeedDecidesWhichFlowsShareAQueue) {
  EXPECT_EQ(order_with(1), order_with(1));
  EXPECT_NE(order_with(1), order_with(2));
}

TEST(FqCodel, WhenFullTheLongestQueueLosesHalfFromItsHead) {
  FqCodel queue = make_queue(1514, {.packets = 6});
  fill(queue, a, 100, 104);
  fill(queue, b, 200, 200);
  const Packet last = packet(201, 1514, b);
  const auto dropped = queue.enqueue(last, 0);
  ASSERT_EQ(dropped.size(), 2u);  // half of five
  EXPECT_EQ(dropped[0].packet.handle, 100u);
  EXPECT_EQ(dropped[1].packet.handle, 101u);
  EXPECT_EQ(dropped[0].verdict, Verdict::dropped_tail);
  EXPECT_EQ(queue.packets(), 5u);
  EXPECT_EQ(queue.bytes(), 5u * 1514u);
  EXPECT_EQ(serve(queue, 6), (Words{"102", "200", "103", "201", "104", ""}));
}

TEST(FqCodel, TheLongestQueueIsTheOneWithTheMostBytes) {
  FqCodel queue = make_queue(1514, {.packets = 7});
  fill(queue, a, 100, 101, 1514);
  fill(queue, b, 200, 204, 100);
  EXPECT_EQ(enqueue(queue, packet(205, 100, b), 0), Handles{100});
}

TEST(FqCodel, AtMost64PacketsAreDroppedAtOnce) {
  FqCodel queue = make_queue(1514, {.packets = 200});
  fill(queue, a, 100, 299);
  const Handles dropped = enqueue(queue, packet(300, 1514, a), 0);
  ASSERT_EQ(dropped.size(), 64u);
  EXPECT_EQ(dropped.front(), 100u);
  EXPECT_EQ(dropped.back(), 163u);
}

// a's 1600 bytes are cut to 800. With the 1514 of b that is still too much, and now b has the most bytes.
TEST(FqCodel, DropsUntilTheLimitInBytesIsMet) {
  FqCodel queue = make_queue(1514, {.bytes = 1600});
  fill(queue, a, 100, 115, 100);
  EXPECT_EQ(enqueue(queue, packet(200, 1514, b), 0), (Handles{100, 101, 102, 103, 104, 105, 106, 107, 200}));
  EXPECT_EQ(queue.bytes(), 800u);
}

// Each queue has its own CoDel. a's is above the target from 100 ms on and drops at 200 ms, when the packets
// of b and c have just arrived.
TEST(FqCodel, DropsOfOneFlowDoNotAffectOthers) {
  FqCodel queue = make_queue();
  fill(queue, a, 100, 119);
  EXPECT_EQ(dequeue(queue, 100 * ms), "100");
  ASSERT_EQ(enqueue(queue, packet(200, 1514, b), 200 * ms), Handles{});
  ASSERT_EQ(enqueue(queue, packet(300, 1514, c), 200 * ms), Handles{});
  EXPECT_EQ(serve(queue, 3, 200 * ms), (Words{"200", "300", "x101 102"}));
  EXPECT_EQ(queue.packets(), 17u);
}

// At 8 Mbps 100 is on the link for 0.419 ms. The idle link finds the queue empty, which ends a's busy period:
// at 10 ms a is new, with a whole quantum for 101 to 104, before b.
TEST(FqCodel, AFlowIsNewAgainAfterTheLinkWasIdle) {
  Bottleneck bottleneck(Link(8'000'000, 24), std::make_unique<FqCodel>(make_queue()));
  bottleneck.arrive(packet(100, 500, a), 0);
  for (std::uintptr_t handle = 101; handle <= 106; ++handle) {
    bottleneck.arrive(packet(handle, 500, a), 10 * ms);
  }
  bottleneck.arrive(packet(200, 500, b), 10 * ms);
  Handles order;
  for (const Outcome& outcome : bottleneck.advance(20 * ms)) {
    order.push_back(outcome.packet.handle);
  }
  EXPECT_EQ(order, (Handles{102, 103, 104, 200, 105, 106}));
}

// What becomes of 64 flows that keep two packets on their way, at 8 Mbps for 30 s.
struct ShortFlows {
  int drops = 0;
  int forwarded = 0;
  std::int64_t waited_ns = 0;  // of all forwarded packets
};

ShortFlows run_short_flows(bool as_linux) {
  FqCodelParameters parameters{.queues = 65536};  // so many that no two of these flows share a queue
  parameters.codel.as_linux = as_linux;
  Bottleneck bottleneck(Link(8'000'000, 24),
                        std::make_unique<FqCodel>(Limit{.packets = 10240}, parameters, 5));
  std::multimap<std::int64_t, std::uint64_t> sending;  // when, and of which flow
  for (std::uint64_t flow = 1; flow <= 64; ++flow) {
    sending.emplace(static_cast<std::int64_t>(flow) * ms, flow);
    sending.emplace(static_cast<std::int64_t>(flow) * ms, flow);
  }
  ShortFlows found;
  const auto note = [&](std::span<const Outcome> outcomes) {
    for (const Outcome& outcome : outcomes) {
      if (is_drop(outcome.verdict)) {
        ++found.drops;
        sending.emplace(outcome.dropped_ns + 200 * ms, outcome.packet.flow_hash);
      } else {
        ++found.forwarded;
        found.waited_ns += outcome.departure_ns - outcome.packet.arrival_ns;
        sending.emplace(outcome.serialised_ns + 10 * ms, outcome.packet.flow_hash);
      }
    }
  };
  for (std::int64_t now = 0; now < 30'000 * ms;) {
    const auto departure_ns = bottleneck.next_departure_ns();
    if (departure_ns && (sending.empty() || *departure_ns < sending.begin()->first)) {
      now = *departure_ns;
      note(bottleneck.advance(now));
    } else {
      const auto [at_ns, flow] = *sending.begin();
      sending.erase(sending.begin());
      now = at_ns;
      note(bottleneck.arrive(packet(0, 1514, flow), now));
    }
  }
  return found;
}

// No queue ever holds more than one full frame behind the packet at its head, so the RFC's CoDel drops nothing.
// Linux looks at the backlog of all queues: it drops much, and the packets wait less.
TEST(FqCodel, ManyShortQueuesLoseMoreAndWaitLessAsLinux) {
  const ShortFlows rfc = run_short_flows(false);
  const ShortFlows as_linux = run_short_flows(true);
  EXPECT_EQ(rfc.drops, 0);
  EXPECT_GT(as_linux.drops, 100);
  EXPECT_LT(2 * as_linux.waited_ns / as_linux.forwarded, rfc.waited_ns / rfc.forwarded);
}

}  // namespace
