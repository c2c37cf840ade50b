// The topology on a virtual clock: which client gets which frame when, and that the counters add up.
#include "dumbbell.h"

#include <gtest/gtest.h>

namespace {

using namespace embedded;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t frame_time_ns = 1'538'000;  // (1514 + 24) * 8 bits at 8 Mbps

Config two_clients(std::size_t queue_packets) {
  Config config;
  config.rate_bps = 8'000'000;
  config.queue.discipline = queues::find_discipline("droptail");
  config.queue.limit.packets = queue_packets;
  config.clients.resize(2);
  config.clients[0].delay_down_ns = 25 * ms;
  config.clients[0].delay_up_ns = 20 * ms;
  config.clients[1].delay_down_ns = 5 * ms;
  config.clients[1].delay_up_ns = 10 * ms;
  return config;
}

queues::Packet packet(std::uintptr_t handle, std::uint32_t client) {
  queues::Packet made;
  made.handle = handle;
  made.client = client;
  made.frame_bytes = 1514;
  return made;
}

TEST(Dumbbell, DownlinkTakesSerialisationAndTheClientsDelay) {
  Dumbbell dumbbell(two_clients(10));
  dumbbell.arrive_down(packet(1, 0), 0);
  EXPECT_EQ(dumbbell.wake_ns(), frame_time_ns + 25 * ms);
  EXPECT_FALSE(dumbbell.take_due(frame_time_ns + 25 * ms - 1));
  const auto frame = dumbbell.take_due(frame_time_ns + 25 * ms);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->direction, Direction::down);
  EXPECT_EQ(frame->client, 0u);
  EXPECT_EQ(frame->delivery.buffer, 1u);
  EXPECT_EQ(frame->delivery.frame_bytes, 1514u);
  EXPECT_TRUE(dumbbell.empty());
}

TEST(Dumbbell, UplinkTakesOnlyItsDelay) {
  Dumbbell dumbbell(two_clients(10));
  dumbbell.arrive_up(1, 7, 1514, 100);
  dumbbell.arrive_up(1, 8, 1514, 100);
  EXPECT_EQ(dumbbell.wake_ns(), 100 + 10 * ms);
  for (const std::uintptr_t buffer : {7u, 8u}) {
    const auto frame = dumbbell.take_due(100 + 10 * ms);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->direction, Direction::up);
    EXPECT_EQ(frame->client, 1u);
    EXPECT_EQ(frame->delivery.buffer, buffer);
  }
}

TEST(Dumbbell, ClientsShareOneLinkAndKeepTheirOwnDelays) {
  Dumbbell dumbbell(two_clients(10));
  dumbbell.arrive_down(packet(1, 0), 0);
  dumbbell.arrive_down(packet(2, 1), 0);  // waits for the first, overtakes it later
  dumbbell.advance(frame_time_ns);
  const auto first = dumbbell.take_due(100 * ms);
  const auto second = dumbbell.take_due(100 * ms);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->delivery.buffer, 2u);
  EXPECT_EQ(first->delivery.due_ns, 2 * frame_time_ns + 5 * ms);
  EXPECT_EQ(second->delivery.buffer, 1u);
  EXPECT_EQ(second->delivery.due_ns, frame_time_ns + 25 * ms);
}

// The event loop calls only at wake_ns. Every frame is then found exactly when it is due.
TEST(Dumbbell, WakesInTimeForEveryDelivery) {
  Dumbbell dumbbell(two_clients(50));
  for (std::uintptr_t handle = 0; handle < 50; ++handle) {
    dumbbell.arrive_down(packet(handle, handle % 2), 0);
  }
  int found = 0;
  while (!dumbbell.empty()) {
    const std::int64_t now_ns = dumbbell.wake_ns();
    dumbbell.advance(now_ns);
    while (const auto frame = dumbbell.take_due(now_ns)) {
      EXPECT_EQ(frame->delivery.due_ns, now_ns);
      ++found;
    }
  }
  EXPECT_EQ(found, 50);
}

TEST(Dumbbell, IdleMeansNoWake) {
  const Dumbbell dumbbell(two_clients(10));
  EXPECT_TRUE(dumbbell.empty());
  EXPECT_EQ(dumbbell.wake_ns(), DelayLine::never);
}

void expect_tally(const Tally& tally, std::uint64_t packets) {
  EXPECT_EQ(tally.packets, packets);
  EXPECT_EQ(tally.bytes, packets * 1514);
}

// Ten arrivals at a queue of four: 1 on the link, 4 queued, 5 dropped. By 27 ms one is delivered and one
// refused by the interface; the others stay.
TEST(Dumbbell, ArrivedIsForwardedPlusDroppedPlusLeft) {
  Dumbbell dumbbell(two_clients(4));
  for (std::uintptr_t handle = 0; handle < 10; ++handle) {
    dumbbell.arrive_down(packet(handle, 0), 0);
  }
  dumbbell.advance(2 * frame_time_ns);
  const auto delivered = dumbbell.take_due(40 * ms);
  const auto refused = dumbbell.take_due(40 * ms);
  ASSERT_TRUE(delivered && refused);
  dumbbell.delivered(*delivered, true);
  dumbbell.delivered(*refused, false);
  EXPECT_FALSE(dumbbell.empty());
  dumbbell.abandon(40 * ms);
  EXPECT_TRUE(dumbbell.empty());
  const ClientCounters& counters = dumbbell.counters()[0];
  expect_tally(counters.arrived, 10);
  expect_tally(counters.forwarded, 1);
  expect_tally(counters.dropped, 5);
  expect_tally(counters.left, 4);
  expect_tally(dumbbell.counters()[1].arrived, 0);
}

// Of four frames, one is delivered, one refused by the interface, and two are in flight at the end.
TEST(Dumbbell, UplinkArrivedIsForwardedPlusLeft) {
  Dumbbell dumbbell(two_clients(4));
  for (std::uintptr_t buffer = 1; buffer <= 4; ++buffer) {
    dumbbell.arrive_up(0, buffer, 1514, 0);
  }
  dumbbell.delivered(*dumbbell.take_due(20 * ms), true);
  dumbbell.delivered(*dumbbell.take_due(20 * ms), false);
  dumbbell.abandon(20 * ms);
  expect_tally(dumbbell.counters()[0].uplink.arrived, 4);
  expect_tally(dumbbell.counters()[0].uplink.forwarded, 1);
  expect_tally(dumbbell.counters()[0].uplink.left, 3);
  expect_tally(dumbbell.counters()[1].uplink.arrived, 0);
  expect_tally(dumbbell.counters()[0].left, 0);
}

// Client 0 has an access link of 4 Mbps with a queue of one and 10 ms of delay: of three packets at 0, one is
// on that link, one is queued, one is lost. Client 1's packet arrives at the bottleneck between those two.
TEST(Dumbbell, PacketsLeaveTheAccessLinkAtTheirOwnExactTimes) {
  constexpr std::int64_t slow_frame_ns = 2 * frame_time_ns;
  Config config = two_clients(10);
  config.clients[0].access = AccessConfig{4'000'000, 1, 10 * ms, 0};
  Dumbbell dumbbell(config);
  EXPECT_TRUE(dumbbell.arrive_down(packet(1, 0), 0).empty());
  EXPECT_TRUE(dumbbell.arrive_down(packet(2, 0), 0).empty());
  const auto lost = dumbbell.arrive_down(packet(3, 0), 0);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].packet.handle, 3u);
  EXPECT_EQ(lost[0].verdict, queues::Verdict::lost_before);
  EXPECT_EQ(lost[0].packet.arrival_ns, 2 * slow_frame_ns + 10 * ms);  // as the packet before it
  EXPECT_EQ(dumbbell.wake_ns(), slow_frame_ns + 10 * ms + 5 * ms);  // the shortest delay down
  const auto direct = dumbbell.arrive_down(packet(4, 1), slow_frame_ns + 11 * ms);
  ASSERT_EQ(direct.size(), 1u);  // packet 1 arrived 1 ms earlier, keeps the link for 0.538 ms more
  EXPECT_EQ(direct[0].packet.handle, 1u);
  EXPECT_EQ(direct[0].packet.arrival_ns, slow_frame_ns + 10 * ms);
  const auto rest = dumbbell.advance(100 * ms);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].packet.handle, 4u);
  EXPECT_EQ(rest[0].departure_ns, slow_frame_ns + 10 * ms + frame_time_ns);
  EXPECT_EQ(rest[1].packet.handle, 2u);
  EXPECT_EQ(rest[1].departure_ns, 2 * slow_frame_ns + 10 * ms);
  expect_tally(dumbbell.counters()[0].arrived, 2);
  expect_tally(dumbbell.counters()[0].dropped, 0);
  expect_tally(dumbbell.counters()[0].lost_before, 1);
  while (const auto frame = dumbbell.take_due(200 * ms)) {
    dumbbell.delivered(*frame, true);
  }
  EXPECT_TRUE(dumbbell.empty());
}

// After the arrivals, calls at wake_ns alone get every packet through the access link in time.
TEST(Dumbbell, DrainsTheAccessLink) {
  Config config = two_clients(50);
  config.clients[0].access = AccessConfig{1'000'000, 20, 30 * ms, 0};
  Dumbbell dumbbell(config);
  for (std::uintptr_t handle = 0; handle < 10; ++handle) {
    dumbbell.arrive_down(packet(handle, 0), 0);
  }
  std::vector<std::int64_t> due;
  while (!dumbbell.empty()) {
    const std::int64_t now_ns = dumbbell.wake_ns();
    dumbbell.advance(now_ns);
    while (const auto frame = dumbbell.take_due(now_ns)) {
      EXPECT_EQ(frame->delivery.due_ns, now_ns);
      due.push_back(now_ns);
    }
  }
  ASSERT_EQ(due.size(), 10u);
  for (std::size_t number = 0; number < due.size(); ++number) {
    const auto through_access = static_cast<std::int64_t>(number + 1) * 8 * frame_time_ns + 30 * ms;
    EXPECT_EQ(due[number], through_access + frame_time_ns + 25 * ms);
  }
  expect_tally(dumbbell.counters()[0].arrived, 10);
}

// One letter for each of 300 packets on a lossy access link: x is lost.
std::string fates(std::uint64_t seed, std::uint32_t client) {
  Config config = two_clients(1000);
  config.seed = seed;
  config.clients[client].access = AccessConfig{0, 0, 0, 0.3};
  Dumbbell dumbbell(config);
  std::string letters;
  for (std::uintptr_t handle = 0; handle < 300; ++handle) {
    const auto outcomes = dumbbell.arrive_down(packet(handle, client), 0);
    const bool lost = !outcomes.empty() && outcomes[0].verdict == queues::Verdict::lost_before;
    letters += lost ? 'x' : '.';
  }
  return letters;
}

TEST(Dumbbell, LossOnTheAccessLinkFollowsFromSeedAndClient) {
  EXPECT_EQ(fates(7, 0), fates(7, 0));
  EXPECT_NE(fates(7, 0), fates(8, 0));
  EXPECT_NE(fates(7, 0), fates(7, 1));
  EXPECT_NE(fates(7, 0).find('x'), std::string::npos);
}

}  // namespace
