// The most that a queue may hold, in packets or in frame bytes.
#pragma once

#include <cstdint>
#include <limits>

namespace queues {

struct Limit {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t packets = none;
  std::uint64_t bytes = none;

  bool holds(std::uint64_t queued_packets, std::uint64_t queued_bytes) const {
    return queued_packets <= packets && queued_bytes <= bytes;
  }
};

}  // namespace queues
