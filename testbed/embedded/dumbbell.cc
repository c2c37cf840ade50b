// The topology of dumbbell.h: accesses, bottleneck, delay lines, counters.
#include "dumbbell.h"

#include <algorithm>

#include "queues/catalogue.h"

namespace embedded {
namespace {

// Chance has stream 0 at the bottleneck and one of its own for each client.
queues::Access make_access(const Config& config, const AccessConfig& access, std::size_t client) {
  return {queues::Link(access.rate_bps, config.overhead_bytes), access.queue_packets, access.delay_ns,
          queues::Chance(access.loss, config.seed, static_cast<std::uint32_t>(client + 1))};
}

}  // namespace

Dumbbell::Dumbbell(const Config& config)
    : bottleneck_(queues::Link(config.rate_bps, config.overhead_bytes),
                  queues::make_queue(config.queue)),
      counters_(config.clients.size()) {
  for (const ClientConfig& client : config.clients) {
    access_.emplace_back();
    if (client.access) {
      access_.back().emplace(AccessWay{make_access(config, *client.access, access_.size() - 1), {}});
    }
    down_.emplace_back(client.delay_down_ns);
    up_.emplace_back(client.delay_up_ns);
    least_delay_down_ns_ = std::min(least_delay_down_ns_, client.delay_down_ns);
  }
}

std::span<const queues::Outcome> Dumbbell::arrive_down(const queues::Packet& packet, std::int64_t now_ns) {
  outcomes_.clear();
  if (auto& way = access_[packet.client]) {
    enter_access(*way, packet, now_ns);
    admit_arriving(now_ns);
  } else {
    admit_arriving(now_ns);
    admit(packet, now_ns);
  }
  return outcomes_;
}

std::span<const queues::Outcome> Dumbbell::advance(std::int64_t now_ns) {
  outcomes_.clear();
  admit_arriving(now_ns);
  carry(bottleneck_.advance(now_ns));
  return outcomes_;
}

void Dumbbell::enter_access(AccessWay& way, const queues::Packet& packet, std::int64_t now_ns) {
  const auto passage = way.access.enter(packet.frame_bytes, now_ns);
  queues::Packet passed = packet;
  passed.arrival_ns = passage.arrival_ns;
  if (passage.lost) {
    counters_[packet.client].lost_before.add(packet.frame_bytes);
    outcomes_.push_back({passed, queues::Verdict::lost_before, 0, 0, passage.arrival_ns});
  } else {
    way.arriving.push(passed);
  }
}

// The access whose first packet is the next to arrive; null if none is on its way.
Dumbbell::AccessWay* Dumbbell::next_arriving() {
  AccessWay* next = nullptr;
  for (auto& way : access_) {
    if (way && !way->arriving.empty() &&
        (!next || way->arriving.front().arrival_ns < next->arriving.front().arrival_ns)) {
      next = &*way;
    }
  }
  return next;
}

// Each at its own exact time, as if the caller had come then.
void Dumbbell::admit_arriving(std::int64_t now_ns) {
  AccessWay* way = next_arriving();
  while (way && way->arriving.front().arrival_ns <= now_ns) {
    const queues::Packet packet = way->arriving.pop();
    admit(packet, packet.arrival_ns);
    way = next_arriving();
  }
}

void Dumbbell::admit(const queues::Packet& packet, std::int64_t now_ns) {
  counters_[packet.client].arrived.add(packet.frame_bytes);
  carry(bottleneck_.arrive(packet, now_ns));
}

void Dumbbell::arrive_up(std::size_t client, std::uintptr_t buffer, std::uint32_t frame_bytes,
                         std::int64_t now_ns) {
  up_[client].enter(buffer, frame_bytes, now_ns);
}

void Dumbbell::carry(std::span<const queues::Outcome> outcomes) {
  for (const queues::Outcome& outcome : outcomes) {
    const queues::Packet& packet = outcome.packet;
    if (queues::is_drop(outcome.verdict)) {
      counters_[packet.client].dropped.add(packet.frame_bytes);
    } else {
      down_[packet.client].enter(packet.handle, packet.frame_bytes, outcome.serialised_ns);
    }
  }
  outcomes_.insert(outcomes_.end(), outcomes.begin(), outcomes.end());
}

// The line whose first frame is due first; its due time is `never` if all are empty.
DueFrame Dumbbell::earliest() const {
  DueFrame first;
  first.delivery.due_ns = DelayLine::never;
  for (std::size_t client = 0; client < down_.size(); ++client) {
    for (const Way way : {Way::down, Way::up}) {
      const std::int64_t due_ns = (way == Way::down ? down_ : up_)[client].due_ns();
      if (due_ns < first.delivery.due_ns) {
        first = {way, client, {0, 0, due_ns}};
      }
    }
  }
  return first;
}

DelayLine& Dumbbell::line(const DueFrame& frame) {
  return (frame.way == Way::down ? down_ : up_)[frame.client];
}

std::optional<DueFrame> Dumbbell::take_due(std::int64_t now_ns) {
  DueFrame frame = earliest();
  if (frame.delivery.due_ns > now_ns) {
    return std::nullopt;
  }
  frame.delivery = line(frame).leave();
  return frame;
}

void Dumbbell::delivered(const DueFrame& frame, bool written) {
  ClientCounters& counters = counters_[frame.client];
  if (frame.way == Way::down) {
    (written ? counters.forwarded : counters.left).add(frame.delivery.frame_bytes);
  } else if (written) {
    counters.uplink.add(frame.delivery.frame_bytes);
  }
}

// A packet queued, or on its way to the queue, cannot be due at a client before its departure, or arrival,
// plus the shortest delay, and both keep their own times however late they are computed: waking for each
// would only cost time.
std::int64_t Dumbbell::wake_ns() const {
  std::int64_t wake_ns = earliest().delivery.due_ns;
  if (const auto departure_ns = bottleneck_.next_departure_ns()) {
    wake_ns = std::min(wake_ns, *departure_ns + least_delay_down_ns_);
  }
  for (const auto& way : access_) {
    if (way && !way->arriving.empty()) {
      wake_ns = std::min(wake_ns, way->arriving.front().arrival_ns + least_delay_down_ns_);
    }
  }
  return wake_ns;
}

bool Dumbbell::empty() const { return wake_ns() == DelayLine::never; }

void Dumbbell::abandon(std::int64_t now_ns) {
  for (const queues::Packet& packet : bottleneck_.clear(now_ns)) {
    counters_[packet.client].left.add(packet.frame_bytes);
  }
  while (const auto frame = take_due(DelayLine::never - 1)) {
    delivered(*frame, false);
  }
}

}  // namespace embedded
