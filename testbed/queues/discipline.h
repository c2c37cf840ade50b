// The interface of every queue discipline: time is an argument, the result is what happened.
// No clock, no I/O, no thread inside, so that a test can script arrivals and every backend decides alike.
// Chance, where one needs it, comes from a seed (chance.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "packet.h"

namespace queues {

// What a dequeue did, in this order: packets it dropped, then the one it delivers (none if all are gone).
struct Dequeued {
  std::span<const Decision> dropped;
  std::optional<Decision> delivered;
};

class Discipline {
 public:
  virtual ~Discipline() = default;

  // Offers a packet at `now_ns`. Returns the packets dropped for it: the offered one, others, or none.
  // The span holds until the next call of this object. Times never decrease from call to call.
  virtual std::span<const Decision> enqueue(const Packet& packet, std::int64_t now_ns) = 0;

  // Takes the next packet at `now_ns`, the moment the link is free. An empty queue is asked once, when the
  // link runs idle. The span holds as above.
  virtual Dequeued dequeue(std::int64_t now_ns) = 0;

  virtual std::size_t packets() const = 0;
  virtual std::uint64_t bytes() const = 0;  // frame bytes
};

}  // namespace queues
