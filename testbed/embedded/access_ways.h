// What lies before the bottleneck: each client's access, where it has one, and the packets that have passed
// one, until the moment they arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config.h"
#include "queues/access.h"
#include "queues/bottleneck.h"
#include "queues/ring.h"

namespace embedded {

class AccessWays {
 public:
  explicit AccessWays(const Config& config);

  bool has(std::size_t client) const { return ways_[client].has_value(); }

  // The client has an access. Returns the packet's end if it is lost there. `now_ns` never decreases.
  std::optional<queues::Outcome> enter(const queues::Packet& packet, std::int64_t now_ns);

  // The next packet that arrives at the bottleneck by `now_ns`, at its own exact `arrival_ns`.
  std::optional<queues::Packet> take_arrived(std::int64_t now_ns);

  // When the next one arrives; none if there is none on its way.
  std::optional<std::int64_t> next_arrival_ns() const;

 private:
  struct Way {
    queues::Access access;
    queues::Ring<queues::Packet> arriving;  // in order of arrival
  };

  const Way* next() const;

  std::vector<std::optional<Way>> ways_;  // by client
};

}  // namespace embedded
