// One link and the queue before it, in virtual time. Before a packet that arrives at t is enqueued, all
// packets due to leave by t depart, each at its own exact time. A late caller therefore changes neither the
// rate nor the drops nor the log. A packet on the link is no longer in the queue: departure - arrival is the
// time in the queue, without serialisation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "discipline.h"
#include "link.h"

namespace queues {

struct Outcome {
  Packet packet;
  Verdict verdict = Verdict::forwarded;
  std::int64_t departure_ns = 0;   // when it left the queue for the link; 0 if dropped
  std::int64_t serialised_ns = 0;  // when its last bit was sent; 0 if dropped
  std::int64_t dropped_ns = 0;     // when it was dropped; 0 if forwarded
};

class Bottleneck {
 public:
  Bottleneck(Link link, std::unique_ptr<Discipline> discipline)
      : link_(link), discipline_(std::move(discipline)) {}

  // Both calls return the outcomes since the last call, in order. The span is valid until the next call.
  // `now_ns` must not decrease from call to call.
  std::span<const Outcome> arrive(Packet packet, std::int64_t now_ns) {
    outcomes_.clear();
    serve(now_ns);
    if (discipline_->packets() == 0 && link_.free_ns() <= now_ns) {
      // The link asked for a packet when it became free, and found none: that ended the discipline's busy
      // period.
      discipline_->dequeue(link_.free_ns());
      link_.idle_until(now_ns);
    }
    packet.arrival_ns = now_ns;
    packet.backlog_packets = static_cast<std::uint32_t>(discipline_->packets());
    packet.backlog_bytes = static_cast<std::uint32_t>(discipline_->bytes());
    add_drops(discipline_->enqueue(packet, now_ns), now_ns);
    serve(now_ns);
    return outcomes_;
  }

  std::span<const Outcome> advance(std::int64_t now_ns) {
    outcomes_.clear();
    serve(now_ns);
    return outcomes_;
  }

  // When the next packet leaves the queue; none while the queue is empty.
  std::optional<std::int64_t> next_departure_ns() const {
    return discipline_->packets() > 0 ? std::optional(link_.free_ns()) : std::nullopt;
  }

  // Empties the queue without sending. Returns its packets, which have no verdict.
  std::vector<Packet> clear(std::int64_t now_ns) {
    std::vector<Packet> left;
    while (discipline_->packets() > 0) {
      const Dequeued step = discipline_->dequeue(now_ns);
      for (const Decision& drop : step.dropped) {
        left.push_back(drop.packet);
      }
      if (step.delivered) {
        left.push_back(step.delivered->packet);
      }
    }
    return left;
  }

 private:
  void serve(std::int64_t now_ns) {
    while (discipline_->packets() > 0 && link_.free_ns() <= now_ns) {
      const std::int64_t departure_ns = link_.free_ns();
      const Dequeued step = discipline_->dequeue(departure_ns);
      add_drops(step.dropped, departure_ns);
      if (step.delivered) {
        const auto& [packet, verdict] = *step.delivered;
        const std::int64_t serialised_ns = link_.send(packet.frame_bytes);
        outcomes_.push_back({packet, verdict, departure_ns, serialised_ns, 0});
      }
    }
  }

  void add_drops(std::span<const Decision> drops, std::int64_t now_ns) {
    for (const Decision& drop : drops) {
      outcomes_.push_back({drop.packet, drop.verdict, 0, 0, now_ns});
    }
  }

  Link link_;
  std::unique_ptr<Discipline> discipline_;
  std::vector<Outcome> outcomes_;
};

}  // namespace queues
