// Percentiles of non-negative durations in bounded memory. Each power of two has 32 buckets of equal width,
// so a percentile is at most 1/32 too high. The maximum is exact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace embedded {

class Histogram {
 public:
  // Negative values count as 0.
  void add(std::int64_t value) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
    ++buckets_[bucket(size)];
    ++count_;
    max_ = std::max(max_, size);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }

  // The upper end of the first bucket up to which at least `fraction` of the values lie; 0 without values.
  std::uint64_t percentile(double fraction) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
    std::uint64_t counted = 0;
    for (std::size_t number = 0; number < buckets_.size() && count_ > 0; ++number) {
      counted += buckets_[number];
      if (counted >= std::max<std::uint64_t>(rank, 1)) {
        return std::min(upper_end(number), max_);
      }
    }
    return 0;
  }

 private:
  static constexpr std::size_t parts_log2 = 5;
  static constexpr std::size_t parts = std::size_t{1} << parts_log2;

  // Below 2 * parts every value has its own bucket. Above, the leading parts_log2 + 1 bits select the bucket.
  static std::size_t bucket(std::uint64_t value) {
    const auto width = static_cast<std::size_t>(std::bit_width(value));
    const std::size_t shift = width > parts_log2 + 1 ? width - parts_log2 - 1 : 0;
    return shift * parts + static_cast<std::size_t>(value >> shift);
  }

  static std::uint64_t upper_end(std::size_t number) {
    const std::size_t shift = number < 2 * parts ? 0 : number / parts - 1;
    const std::uint64_t leading = number - shift * parts;
    return ((leading + 1) << shift) - 1;
  }

  std::array<std::uint64_t, (64 - parts_log2) * parts + parts> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace embedded
