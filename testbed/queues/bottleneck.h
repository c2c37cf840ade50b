// One link and the queue before it, in virtual time.
// Before an arrival at t is enqueued, all departures due by t are done, each at its own exact time: a
// caller that comes late changes neither rate nor drops nor log. A packet on the link is no longer in
// the queue; departure - arrival is time in the queue without serialisation.
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
  std::int64_t departure_ns = 0;   // left the queue for the link; 0 if dropped
  std::int64_t serialised_ns = 0;  // its last bit is out; 0 if dropped
  std::int64_t dropped_ns = 0;     // when the verdict fell; 0 if forwarded
};

class Bottleneck {
 public:
  Bottleneck(Link link, std::unique_ptr<Discipline> discipline)
      : link_(link), discipline_(std::move(discipline)) {}

  // Both return what happened, in order; the span holds until the next call. `now_ns` never decreases.
  std::span<const Outcome> arrive(Packet packet, std::int64_t now_ns) {
    outcomes_.clear();
    serve(now_ns);
    if (discipline_->packets() == 0 && link_.free_ns() <= now_ns) {
      // The link asked for a packet in vain when it became free: a discipline's busy period ended then.
      discipline_->dequeue(link_.free_ns());
      link_.idle_until(now_ns);
    }
    packet.arrival_ns = now_ns;
    packet.backlog_packets = static_cast<std::uint32_t>(discipline_->packets());
    packet.backlog_bytes = static_cast<std::uint32_t>(discipline_->bytes());
    note_drops(discipline_->enqueue(packet, now_ns), now_ns);
    serve(now_ns);
    return outcomes_;
  }

  std::span<const Outcome> advance(std::int64_t now_ns) {
    outcomes_.clear();
    serve(now_ns);
    return outcomes_;
  }

  // When the next packet leaves the queue; none while it is empty.
  std::optional<std::int64_t> next_departure_ns() const {
    return discipline_->packets() > 0 ? std::optional(link_.free_ns()) : std::nullopt;
  }

  // Empties the queue without sending: what is left over at the end. No verdict falls on these.
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
      note_drops(step.dropped, departure_ns);
      if (step.delivered) {
        const auto& [packet, verdict] = *step.delivered;
        const std::int64_t serialised_ns = link_.send(packet.frame_bytes);
        outcomes_.push_back({packet, verdict, departure_ns, serialised_ns, 0});
      }
    }
  }

  void note_drops(std::span<const Decision> drops, std::int64_t now_ns) {
    for (const Decision& drop : drops) {
      outcomes_.push_back({drop.packet, drop.verdict, 0, 0, now_ns});
    }
  }

  Link link_;
  std::unique_ptr<Discipline> discipline_;
  std::vector<Outcome> outcomes_;
};

}  // namespace queues
