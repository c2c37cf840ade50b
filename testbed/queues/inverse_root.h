// 1/sqrt(count) as Linux' CoDel computes it: a fraction of 16 bits that follows the count by one Newton step at a
// time, x' = x (3 - count x^2) / 2, in whole numbers. After a leap of the count one step is far off, and where
// count x^2 exceeds 3 the difference wraps around. Linux corrects neither.
#pragma once

#include <cstdint>

namespace queues {

class InverseRoot {
 public:
  void restart() { bits_ = 0xFFFF; }  // of count 1, rounded down

  void follow(std::uint32_t count) {
    const std::uint64_t root = std::uint64_t{bits_} << 16;
    const std::uint64_t square = root * root >> 32;
    const std::uint64_t quarter = ((std::uint64_t{3} << 32) - count * square) >> 2;  // leaves room to multiply
    bits_ = static_cast<std::uint16_t>(quarter * root >> 31 >> 16);
  }

  // The fraction of an interval.
  std::int64_t of(std::int64_t interval_ns) const { return interval_ns * bits_ >> 16; }

 private:
  std::uint16_t bits_ = 0xFFFF;
};

}  // namespace queues
