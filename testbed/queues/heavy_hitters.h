// Which flows are heavy hitters: the multi-stage filter of Estan and Varghese 2002, section 3, with
// the rules of Linux' `hhf`.
//
// A flow's number is the lower 32 bits of perturbed(flow hash, seed). Each of four arrays has one counter of
// 1024 for the flow: that at bits 0 to 9 of the number, at bits 10 to 19, at bits 20 to 29, and at the
// exclusive or of these three and of bits 30 to 31.
//
// A flow becomes a heavy hitter with the packet that brings all its counters above `admit_bytes`. From then on
// its packets are not counted (shielding), so that they do not raise the counters of others. It is one until no
// packet of it has arrived for longer than `evict_timeout_ns`. Every other packet raises each of the flow's
// counters to the least of them plus its bytes, and leaves those alone that are higher (conservative update).
// The first packet, and the first one more than `reset_timeout_ns` after the last reset, resets all counters.
//
// Linux makes room in a full table only in the row of the new flow, and here room is made everywhere. Linux
// counts both timeouts in ticks of its timer (1 to 10 ms), and here they are in ns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "packet.h"
#include "perturbation.h"

namespace queues {

struct HeavyHitterParameters {
  std::int64_t admit_bytes = 131072;
  std::int64_t reset_timeout_ns = 40'000'000;
  std::int64_t evict_timeout_ns = 1'000'000'000;
  std::int64_t hh_flows_limit = 2048;  // the most at a time; while there are as many, no flow becomes one
};

class HeavyHitters {
 public:
  HeavyHitters(const HeavyHitterParameters& parameters, std::uint64_t seed)
      : parameters_(parameters), seed_(seed) {}

  // Whether the flow of this packet, which arrives now, is a heavy hitter. Counts the packet.
  bool contain(const Packet& packet, std::int64_t now_ns) {
    reset_in_time(now_ns);
    const auto number = static_cast<std::uint32_t>(perturbed(packet.flow_hash, seed_));
    const auto known = last_seen_ns_.find(number);
    if (known != last_seen_ns_.end() && !is_expired(known->second, now_ns)) {
      known->second = now_ns;
      return true;
    }
    const auto places = places_of(number);
    const std::int64_t bytes = least(places) + packet.frame_bytes;
    if (bytes > parameters_.admit_bytes) {
      return admit(number, now_ns);
    }
    for (std::size_t array = 0; array < arrays; ++array) {
      std::int64_t& counter = counters_[array][places[array]];
      counter = std::max(counter, bytes);
    }
    return false;
  }

 private:
  static constexpr std::size_t arrays = 4;
  static constexpr std::uint32_t length = 1024;
  using Places = std::array<std::uint32_t, arrays>;

  static Places places_of(std::uint32_t number) {
    const std::uint32_t first = number % length;
    const std::uint32_t second = (number >> 10) % length;
    const std::uint32_t third = (number >> 20) % length;
    return {first, second, third, first ^ second ^ third ^ number >> 30};
  }

  void reset_in_time(std::int64_t now_ns) {
    if (!reset_ns_ || now_ns - *reset_ns_ > parameters_.reset_timeout_ns) {
      counters_ = {};
      reset_ns_ = now_ns;
    }
  }

  std::int64_t least(const Places& places) const {
    std::int64_t found = counters_[0][places[0]];
    for (std::size_t array = 1; array < arrays; ++array) {
      found = std::min(found, counters_[array][places[array]]);
    }
    return found;
  }

  bool is_expired(std::int64_t seen_ns, std::int64_t now_ns) const {
    return now_ns - seen_ns > parameters_.evict_timeout_ns;
  }

  // Whether there is room for a new heavy hitter, which then is one.
  bool admit(std::uint32_t number, std::int64_t now_ns) {
    const auto limit = static_cast<std::size_t>(parameters_.hh_flows_limit);
    if (last_seen_ns_.size() >= limit) {
      std::erase_if(last_seen_ns_,
                    [this, now_ns](const auto& entry) { return is_expired(entry.second, now_ns); });
    }
    if (last_seen_ns_.size() >= limit) {
      return false;
    }
    last_seen_ns_[number] = now_ns;
    return true;
  }

  HeavyHitterParameters parameters_;
  std::uint64_t seed_;
  std::array<std::array<std::int64_t, length>, arrays> counters_{};
  std::optional<std::int64_t> reset_ns_;
  std::unordered_map<std::uint32_t, std::int64_t> last_seen_ns_;  // of heavy hitters, by the flow's number
};

}  // namespace queues
