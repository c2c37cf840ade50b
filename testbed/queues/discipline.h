// The interface of every queue discipline. Time is an argument; the result is what happened to which packet.
// A discipline has no clock, no I/O and no threads, so that tests can script arrivals and every bottleneck
// decides alike. Random numbers come from a seed (chance.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "packet.h"

namespace queues {

// The result of a dequeue: the packets that were dropped, then the packet to deliver (none if none is left).
struct Dequeued {
  std::span<const Decision> dropped;
  std::optional<Decision> delivered;
};

class Discipline {
 public:
  virtual ~Discipline() = default;

  // Offers a packet at `now_ns`. Returns the packets dropped because of it: the packet itself, others, or
  // none. The span is valid until the next call on this object. Times must not decrease from call to call.
  virtual std::span<const Decision> enqueue(const Packet& packet, std::int64_t now_ns) = 0;

  // Takes the next packet at `now_ns`, when the link is free. An empty queue gets one call, when the link
  // becomes idle. The span is valid as above.
  virtual Dequeued dequeue(std::int64_t now_ns) = 0;

  virtual std::size_t packets() const = 0;
  virtual std::uint64_t bytes() const = 0;  // frame bytes
};

}  // namespace queues
