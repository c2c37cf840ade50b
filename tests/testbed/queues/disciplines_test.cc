// Properties of every discipline of the catalogue, and random loss.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "queues/bottleneck.h"
#include "queues/catalogue.h"
#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

// Sets an option of those disciplines that have it. Returns whether this one does.
template <typename Value>
bool set(CatalogueEntry& discipline, std::string_view key, Value value) {
  for (const Option& option : discipline.options()) {
    if (option.key == key) {
      *std::get<Value*>(option.value) = value;
      return true;
    }
  }
  return false;
}

QueueParameters parameters(const std::string& discipline) {
  QueueParameters made{
      .discipline = find_discipline(discipline), .limit = {.packets = 60}, .random_loss = 0.02, .seed = 11};
  set<std::int64_t>(*made.discipline, "queues", 8);
  set<std::int64_t>(*made.discipline, "admit_bytes", 4000);
  return made;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : catalogue()) {
    names.push_back(entry->name());
  }
  return names;
}

// Packets of 12 flows. At first they overload the link, later they do not, so that every verdict occurs.
std::vector<std::pair<Packet, std::int64_t>> arrivals() {
  std::mt19937_64 random(7);
  std::vector<std::pair<Packet, std::int64_t>> made;
  std::int64_t now_ns = 0;
  for (std::uintptr_t handle = 0; handle < 5000; ++handle) {
    now_ns += static_cast<std::int64_t>(random() % (handle < 3000 ? 800'000 : 4'000'000));
    const std::uint64_t flow = random() % 12;
    made.emplace_back(packet(handle, static_cast<std::uint32_t>(60 + random() % 1455), flow), now_ns);
    made.back().first.ecn_capable = flow % 2 == 0;
  }
  return made;
}

class EveryDiscipline : public testing::TestWithParam<std::string> {};

// A discipline with the option `ecn` drops and marks by a rule of its own, others drop only what does not fit.
// HHF alone lets a flow change its queue, and so its order.
TEST_P(EveryDiscipline, GivesEachPacketOneVerdictAndKeepsAFlowsOrder) {
  QueueParameters made = parameters(GetParam());
  const bool active = set(*made.discipline, "ecn", true);
  const bool reorders = GetParam() == "hhf";
  Bottleneck bottleneck(Link(8'000'000, 24), make_queue(made));
  std::vector<Outcome> outcomes;
  const auto append = [&outcomes](std::span<const Outcome> more) {
    outcomes.insert(outcomes.end(), more.begin(), more.end());
  };
  for (const auto& [offered, now_ns] : arrivals()) {
    append(bottleneck.arrive(offered, now_ns));
  }
  const std::vector<Packet> left = bottleneck.clear(arrivals().back().second);
  EXPECT_EQ(outcomes.size() + left.size(), arrivals().size());

  std::map<std::uintptr_t, int> fates;
  std::map<Verdict, int> verdicts;
  std::map<std::uint64_t, std::uintptr_t> last_of_flow;
  std::int64_t link_free_ns = 0;
  for (const Outcome& outcome : outcomes) {
    ++fates[outcome.packet.handle];
    ++verdicts[outcome.verdict];
    EXPECT_LE(outcome.packet.backlog_packets, 60u);
    if (is_drop(outcome.verdict)) {
      EXPECT_GE(outcome.dropped_ns, outcome.packet.arrival_ns);
      continue;
    }
    EXPECT_GE(outcome.departure_ns, std::max(outcome.packet.arrival_ns, link_free_ns));
    link_free_ns = outcome.serialised_ns;
    const auto [last, is_first] = last_of_flow.try_emplace(outcome.packet.flow_hash, outcome.packet.handle);
    EXPECT_TRUE(is_first || reorders || last->second < outcome.packet.handle);
    last->second = outcome.packet.handle;
  }
  for (const Packet& packet : left) {
    ++fates[packet.handle];
  }
  EXPECT_EQ(fates.size(), arrivals().size());
  EXPECT_GT(verdicts[Verdict::dropped_tail], 0);
  EXPECT_GT(verdicts[Verdict::dropped_random], 0);
  EXPECT_EQ(verdicts[Verdict::dropped_aqm] > 0, active);
  EXPECT_EQ(verdicts[Verdict::marked] > 0, active);
}

TEST_P(EveryDiscipline, CountsWhatItHolds) {
  QueueParameters made = parameters(GetParam());
  made.random_loss = 0;
  const auto queue = make_queue(made);
  std::map<std::uintptr_t, std::uint32_t> held;
  int calls = 0;
  for (const auto& [offered, now_ns] : arrivals()) {
    Packet stamped = offered;
    stamped.arrival_ns = now_ns;
    held[offered.handle] = offered.frame_bytes;
    for (const Decision& drop : queue->enqueue(stamped, now_ns)) {
      EXPECT_EQ(held.erase(drop.packet.handle), 1u);
    }
    if (++calls % 3 != 0 || calls > 4000) {
      const Dequeued step = queue->dequeue(now_ns);
      for (const Decision& drop : step.dropped) {
        EXPECT_EQ(held.erase(drop.packet.handle), 1u);
      }
      EXPECT_EQ(step.delivered ? held.erase(step.delivered->packet.handle) : 1u, 1u);
    }
    std::uint64_t bytes = 0;
    for (const auto& [handle, frame_bytes] : held) {
      bytes += frame_bytes;
    }
    ASSERT_EQ(queue->packets(), held.size());
    ASSERT_EQ(queue->bytes(), bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryDiscipline, testing::ValuesIn(names()),
                         [](const auto& discipline) { return discipline.param; });

TEST(Catalogue, HasEachNameOnce) {
  const std::vector<std::string> found = names();
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), found.size());
}

TEST(Catalogue, FindsNoUnknownName) {
  EXPECT_EQ(find_discipline("DropTail"), nullptr);
  EXPECT_EQ(find_discipline("unknown"), nullptr);
}

// Which of 10000 packets are lost.
std::vector<std::uintptr_t> lost(double probability, std::uint64_t seed) {
  const auto queue = make_queue({.discipline = find_discipline("droptail"),
                                 .limit = {.packets = 20000},
                                 .random_loss = probability,
                                 .seed = seed});
  std::vector<std::uintptr_t> handles;
  for (std::uintptr_t handle = 0; handle < 10000; ++handle) {
    for (const Decision& drop : queue->enqueue(packet(handle), 0)) {
      EXPECT_EQ(drop.verdict, Verdict::dropped_random);
      handles.push_back(drop.packet.handle);
    }
  }
  return handles;
}

TEST(RandomLoss, FollowsFromTheSeedAndHasTheGivenFraction) {
  EXPECT_EQ(lost(0.01, 1), lost(0.01, 1));
  EXPECT_NE(lost(0.01, 1), lost(0.01, 2));
  EXPECT_TRUE(lost(0, 1).empty());
  EXPECT_NEAR(static_cast<double>(lost(0.01, 1).size()), 100, 50);  // five standard deviations
  EXPECT_NEAR(static_cast<double>(lost(0.9, 1).size()), 9000, 150);
}

TEST(RandomLoss, AHigherFractionLosesTheSamePacketsAndMore) {
  const auto few = lost(0.01, 4);
  const auto more = lost(0.05, 4);
  EXPECT_TRUE(std::includes(more.begin(), more.end(), few.begin(), few.end()));
}

}  // namespace
