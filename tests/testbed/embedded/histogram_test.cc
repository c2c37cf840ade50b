// Percentiles are exact to the buckets' width, the maximum is exact.
#include "histogram.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using embedded::Histogram;

TEST(Histogram, IsZeroWhenEmpty) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.percentile(0.99), 0u);
  EXPECT_EQ(histogram.max(), 0u);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (int value = 1; value <= 60; ++value) {
    histogram.add(value);
  }
  EXPECT_EQ(histogram.percentile(0.5), 30u);
  EXPECT_EQ(histogram.percentile(0.99), 60u);
  EXPECT_EQ(histogram.percentile(0.0), 1u);
}

TEST(Histogram, LargeValuesAreAtMostOneThirtySecondTooHigh) {
  for (std::int64_t value = 1; value < std::numeric_limits<std::int64_t>::max() / 3; value = value * 3 + 1) {
    Histogram histogram;
    histogram.add(value);
    histogram.add(std::numeric_limits<std::int64_t>::max());
    const auto found = histogram.percentile(0.5);
    EXPECT_GE(found, static_cast<std::uint64_t>(value));
    EXPECT_LE(found, static_cast<std::uint64_t>(value + value / 32));
  }
}

TEST(Histogram, MaximumIsExactAndBoundsThePercentiles) {
  Histogram histogram;
  for (int number = 0; number < 99; ++number) {
    histogram.add(1000);
  }
  histogram.add(1'000'001);
  EXPECT_EQ(histogram.max(), 1'000'001u);
  EXPECT_EQ(histogram.percentile(1.0), 1'000'001u);
  EXPECT_LE(histogram.percentile(0.99), 1031u);
  EXPECT_EQ(histogram.count(), 100u);
}

TEST(Histogram, NegativeValuesCountAsZero) {
  Histogram histogram;
  histogram.add(-5);
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_EQ(histogram.percentile(0.5), 0u);
}

}  // namespace
