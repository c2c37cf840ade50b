// How late the bottleneck was: a histogram of all deliveries, and the longest stall in each second. A stall is
// a time in which the bottleneck did nothing although it should have. It shows in a late delivery, but also
// without one: packets may only have waited at the input. So the caller also says when it was due to look for
// work, and when it did.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "histogram.h"

namespace embedded {

class Lateness {
 public:
  explicit Lateness(std::int64_t start_ns) : start_ns_(start_ns) {}

  void delivered(std::int64_t now_ns, std::int64_t due_ns) {
    deliveries_.add(now_ns - due_ns);
    looked(now_ns, due_ns);
  }

  // `now_ns` is not before the start.
  void looked(std::int64_t now_ns, std::int64_t due_ns) {
    const auto second = static_cast<std::size_t>((now_ns - start_ns_) / second_ns);
    if (second >= by_second_.size()) {
      by_second_.resize(second + 1);
    }
    by_second_[second] = std::max(by_second_[second], now_ns - due_ns);
  }

  const Histogram& deliveries() const { return deliveries_; }

  // The longest stall that ended in each second since the start.
  const std::vector<std::int64_t>& by_second() const { return by_second_; }
  std::int64_t start_ns() const { return start_ns_; }

 private:
  static constexpr std::int64_t second_ns = 1'000'000'000;

  std::int64_t start_ns_;
  Histogram deliveries_;
  std::vector<std::int64_t> by_second_;
};

}  // namespace embedded
