// The hash by which a discipline spreads flows over its queues or counters. It depends on the seed, so that
// which flows collide differs from trial to trial.
#pragma once

#include <cstdint>

namespace queues {

// The finalizer of MurmurHash3 of flow hash xor seed: a bijection in which every output bit depends on every
// input bit.
constexpr std::uint64_t perturbed(std::uint64_t flow_hash, std::uint64_t seed) {
  std::uint64_t value = flow_hash ^ seed;
  value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD;
  value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53;
  return value ^ value >> 33;
}

}  // namespace queues
