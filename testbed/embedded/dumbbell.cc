// The topology of dumbbell.h: bottleneck, delay lines, counters.
#include "dumbbell.h"

#include <algorithm>

#include "queues/catalogue.h"

namespace embedded {

Dumbbell::Dumbbell(const Config& config)
    : bottleneck_(queues::Link(config.rate_bps, config.overhead_bytes),
                  queues::make_discipline(config.discipline, config.queue_packets)),
      counters_(config.clients.size()) {
  for (const ClientConfig& client : config.clients) {
    down_.emplace_back(client.delay_down_ns);
    up_.emplace_back(client.delay_up_ns);
    least_delay_down_ns_ = std::min(least_delay_down_ns_, client.delay_down_ns);
  }
}

std::span<const queues::Outcome> Dumbbell::arrive_down(const queues::Packet& packet, std::int64_t now_ns) {
  counters_[packet.client].arrived.add(packet.frame_bytes);
  const auto outcomes = bottleneck_.arrive(packet, now_ns);
  carry(outcomes);
  return outcomes;
}

std::span<const queues::Outcome> Dumbbell::advance(std::int64_t now_ns) {
  const auto outcomes = bottleneck_.advance(now_ns);
  carry(outcomes);
  return outcomes;
}

void Dumbbell::arrive_up(std::size_t client, std::uintptr_t buffer, std::uint32_t frame_bytes,
                         std::int64_t now_ns) {
  up_[client].enter(buffer, frame_bytes, now_ns);
}

void Dumbbell::carry(std::span<const queues::Outcome> outcomes) {
  for (const auto& [packet, verdict, departure_ns, serialised_ns] : outcomes) {
    if (queues::is_drop(verdict)) {
      counters_[packet.client].dropped.add(packet.frame_bytes);
    } else {
      down_[packet.client].enter(packet.handle, packet.frame_bytes, serialised_ns);
    }
  }
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

// A queued packet cannot be due at a client before its departure plus the shortest delay, and departures
// keep their own times however late they are computed: waking for each would only cost time.
std::int64_t Dumbbell::wake_ns() const {
  const std::int64_t due_ns = earliest().delivery.due_ns;
  const auto departure_ns = bottleneck_.next_departure_ns();
  return departure_ns ? std::min(due_ns, *departure_ns + least_delay_down_ns_) : due_ns;
}

bool Dumbbell::empty() const {
  return earliest().delivery.due_ns == DelayLine::never && !bottleneck_.next_departure_ns();
}

void Dumbbell::abandon(std::int64_t now_ns) {
  for (const queues::Packet& packet : bottleneck_.clear(now_ns)) {
    counters_[packet.client].left.add(packet.frame_bytes);
  }
  while (const auto frame = take_due(DelayLine::never - 1)) {
    delivered(*frame, false);
  }
}

}  // namespace embedded
