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

// Numbers from a seed in [0, 1), for rules whose probability changes: the upper 53 bits of SplitMix64
// (Steele, Lea and Flood 2014), which a second implementation repeats in a few lines.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}

  double next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return std::ldexp(static_cast<double>((mixed ^ mixed >> 31) >> 11), -53);
  }

 private:
  std::uint64_t state_;
};

}  // namespace queues
