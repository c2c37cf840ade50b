// The access links before the bottleneck: one for each client whose configuration has one, with the packets
// that have left it and have not yet arrived at the bottleneck.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config.h"
#include "queues/access.h"
#include "queues/bottleneck.h"
#include "queues/ring.h"

namespace embedded {

class AccessLinks {
 public:
  explicit AccessLinks(const Config& config);

  bool has(std::size_t client) const { return links_[client].has_value(); }

  // The client must have an access link. Returns the packet's outcome if it is lost there. `now_ns` must not
  // decrease from call to call.
  std::optional<queues::Outcome> enter(const queues::Packet& packet, std::int64_t now_ns);

  // The next packet that arrives at the bottleneck by `now_ns`, with its own exact `arrival_ns`.
  std::optional<queues::Packet> take_arrived(std::int64_t now_ns);

  // When the next packet arrives at the bottleneck; none if no packet is on its way.
  std::optional<std::int64_t> next_arrival_ns() const;

 private:
  struct AccessLink {
    queues::Access access;
    queues::Ring<queues::Packet> arriving;  // in order of arrival
  };

  const AccessLink* next() const;

  std::vector<std::optional<AccessLink>> links_;  // by client
};

}  // namespace embedded
