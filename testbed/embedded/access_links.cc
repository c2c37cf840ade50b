// The access links of access_links.h.
#include "access_links.h"

namespace embedded {
namespace {

// Random loss at the bottleneck takes stream 0 of the seed; each client has a stream of its own.
queues::Access make_access(const Config& config, const AccessConfig& access, std::size_t client) {
  return {queues::Link(access.rate_bps, config.overhead_bytes), access.queue_packets, access.delay_ns,
          queues::Chance(access.loss, config.seed, static_cast<std::uint32_t>(client + 1))};
}

}  // namespace

AccessLinks::AccessLinks(const Config& config) {
  for (const ClientConfig& client : config.clients) {
    links_.emplace_back();
    if (client.access) {
      links_.back().emplace(AccessLink{make_access(config, *client.access, links_.size() - 1), {}});
    }
  }
}

std::optional<queues::Outcome> AccessLinks::enter(const queues::Packet& packet, std::int64_t now_ns) {
  AccessLink& link = *links_[packet.client];
  const auto passage = link.access.enter(packet.frame_bytes, now_ns);
  queues::Packet passed = packet;
  passed.arrival_ns = passage.arrival_ns;
  if (passage.lost) {
    return queues::Outcome{passed, queues::Verdict::lost_before, 0, 0, passage.arrival_ns};
  }
  link.arriving.push(passed);
  return std::nullopt;
}

std::optional<queues::Packet> AccessLinks::take_arrived(std::int64_t now_ns) {
  const AccessLink* link = next();
  if (!link || link->arriving.front().arrival_ns > now_ns) {
    return std::nullopt;
  }
  return links_[link->arriving.front().client]->arriving.pop();
}

std::optional<std::int64_t> AccessLinks::next_arrival_ns() const {
  const AccessLink* link = next();
  return link ? std::optional(link->arriving.front().arrival_ns) : std::nullopt;
}

// The access link whose first packet is the next to arrive; null if no packet is on its way.
const AccessLinks::AccessLink* AccessLinks::next() const {
  const AccessLink* next = nullptr;
  for (const auto& link : links_) {
    if (link && !link->arriving.empty() &&
        (!next || link->arriving.front().arrival_ns < next->arriving.front().arrival_ns)) {
      next = &*link;
    }
  }
  return next;
}

}  // namespace embedded
