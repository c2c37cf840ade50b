// The most that a queue may hold, in packets or in frame bytes.
#pragma once

#include <cmath>
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

  // This fraction of the limit, rounded to the nearest whole packet or byte.
  Limit part(double fraction) const { return {part_of(packets, fraction), part_of(bytes, fraction)}; }

 private:
  static std::uint64_t part_of(std::uint64_t whole, double fraction) {
    return whole == none ? none : static_cast<std::uint64_t>(std::round(static_cast<double>(whole) * fraction));
  }
};

}  // namespace queues
