// Random events of a given probability. The same seed gives the same events on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace queues {

class Chance {
 public:
  // 0 <= probability < 1. Users of the same seed take different streams, so that their events are
  // independent.
  Chance(double probability, std::uint64_t seed, std::uint32_t stream)
      : threshold_(static_cast<std::uint64_t>(std::ldexp(probability, 64))) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), stream};
    generator_.seed(sequence);
  }

  bool happens() { return generator_() < threshold_; }

 private:
  std::uint64_t threshold_;
  std::mt19937_64 generator_;
};

}  // namespace queues
