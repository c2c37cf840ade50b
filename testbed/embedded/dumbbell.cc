// The dumbbell: access links, bottleneck, delay lines and counters.
#include "dumbbell.h"

#include <algorithm>

#include "queues/catalogue.h"

namespace embedded {

Dumbbell::Dumbbell(const Config& config)
    : access_(config),
      bottleneck_(queues::Link(config.rate_bps, config.overhead_bytes), queues::make_queue(config.queue)),
      counters_(config.clients.size()) {
  for (const ClientConfig& client : config.clients) {
    down_.emplace_back(client.delay_down_ns);
    up_.emplace_back(client.delay_up_ns);
    shortest_delay_down_ns_ = std::min(shortest_delay_down_ns_, client.delay_down_ns);
  }
}

std::span<const queues::Outcome> Dumbbell::arrive_down(const queues::Packet& packet, std::int64_t now_ns) {
  outcomes_.clear();
  const bool has_access = access_.has(packet.client);
  if (const auto lost = has_access ? access_.enter(packet, now_ns) : std::nullopt) {
    counters_[packet.client].lost_before.add(packet.frame_bytes);
    outcomes_.push_back(*lost);
  }
  admit_arrived(now_ns);
  if (!has_access) {
    admit(packet, now_ns);
  }
  return outcomes_;
}

std::span<const queues::Outcome> Dumbbell::advance(std::int64_t now_ns) {
  outcomes_.clear();
  admit_arrived(now_ns);
  add_outcomes(bottleneck_.advance(now_ns));
  return outcomes_;
}

// Admits each packet at its own exact arrival time, as if the caller had called then.
void Dumbbell::admit_arrived(std::int64_t now_ns) {
  while (const auto packet = access_.take_arrived(now_ns)) {
    admit(*packet, packet->arrival_ns);
  }
}

void Dumbbell::admit(const queues::Packet& packet, std::int64_t now_ns) {
  counters_[packet.client].arrived.add(packet.frame_bytes);
  add_outcomes(bottleneck_.arrive(packet, now_ns));
}

void Dumbbell::arrive_up(std::size_t client, std::uintptr_t buffer, std::uint32_t frame_bytes,
                         std::int64_t now_ns) {
  counters_[client].uplink.arrived.add(frame_bytes);
  up_[client].enter(buffer, frame_bytes, now_ns);
}

void Dumbbell::add_outcomes(std::span<const queues::Outcome> outcomes) {
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

// The delay line whose first frame is due first. Its due time is `never` if all lines are empty.
DueFrame Dumbbell::earliest() const {
  DueFrame first;
  first.delivery.due_ns = DelayLine::never;
  for (std::size_t client = 0; client < down_.size(); ++client) {
    for (const Direction direction : {Direction::down, Direction::up}) {
      const std::int64_t due_ns = (direction == Direction::down ? down_ : up_)[client].due_ns();
      if (due_ns < first.delivery.due_ns) {
        first = {direction, client, {0, 0, due_ns}};
      }
    }
  }
  return first;
}

DelayLine& Dumbbell::line(const DueFrame& frame) {
  return (frame.direction == Direction::down ? down_ : up_)[frame.client];
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
  if (frame.direction == Direction::down) {
    (written ? counters.forwarded : counters.left).add(frame.delivery.frame_bytes);
  } else {
    (written ? counters.uplink.forwarded : counters.uplink.left).add(frame.delivery.frame_bytes);
  }
}

// A queued packet cannot be due at a client before its departure plus the shortest delay, nor a packet on its
// access link before its arrival plus that delay. Their exact times do not depend on when they are computed,
// so an earlier wake-up would only cost CPU time.
std::int64_t Dumbbell::wake_ns() const {
  std::int64_t wake_ns = earliest().delivery.due_ns;
  if (const auto departure_ns = bottleneck_.next_departure_ns()) {
    wake_ns = std::min(wake_ns, *departure_ns + shortest_delay_down_ns_);
  }
  if (const auto arrival_ns = access_.next_arrival_ns()) {
    wake_ns = std::min(wake_ns, *arrival_ns + shortest_delay_down_ns_);
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
