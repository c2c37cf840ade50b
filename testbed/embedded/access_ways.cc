// The ways of access_ways.h.
#include "access_ways.h"

namespace embedded {
namespace {

// Chance has stream 0 at the bottleneck and one of its own for each client.
queues::Access make_access(const Config& config, const AccessConfig& access, std::size_t client) {
  return {queues::Link(access.rate_bps, config.overhead_bytes), access.queue_packets, access.delay_ns,
          queues::Chance(access.loss, config.seed, static_cast<std::uint32_t>(client + 1))};
}

}  // namespace

AccessWays::AccessWays(const Config& config) {
  for (const ClientConfig& client : config.clients) {
    ways_.emplace_back();
    if (client.access) {
      ways_.back().emplace(Way{make_access(config, *client.access, ways_.size() - 1), {}});
    }
  }
}

std::optional<queues::Outcome> AccessWays::enter(const queues::Packet& packet, std::int64_t now_ns) {
  Way& way = *ways_[packet.client];
  const auto passage = way.access.enter(packet.frame_bytes, now_ns);
  queues::Packet passed = packet;
  passed.arrival_ns = passage.arrival_ns;
  if (passage.lost) {
    return queues::Outcome{passed, queues::Verdict::lost_before, 0, 0, passage.arrival_ns};
  }
  way.arriving.push(passed);
  return std::nullopt;
}

std::optional<queues::Packet> AccessWays::take_arrived(std::int64_t now_ns) {
  const Way* way = next();
  if (!way || way->arriving.front().arrival_ns > now_ns) {
    return std::nullopt;
  }
  return ways_[way->arriving.front().client]->arriving.pop();
}

std::optional<std::int64_t> AccessWays::next_arrival_ns() const {
  const Way* way = next();
  return way ? std::optional(way->arriving.front().arrival_ns) : std::nullopt;
}

// The way whose first packet is the next to arrive; null if none is on its way.
const AccessWays::Way* AccessWays::next() const {
  const Way* next = nullptr;
  for (const auto& way : ways_) {
    if (way && !way->arriving.empty() &&
        (!next || way->arriving.front().arrival_ns < next->arriving.front().arrival_ns)) {
      next = &*way;
    }
  }
  return next;
}

}  // namespace embedded
