// What counts as a stall, and to which second it belongs.
#include "lateness.h"

#include <gtest/gtest.h>

namespace {

using namespace embedded;
using Seconds = std::vector<std::int64_t>;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t start_ns = 5'000 * ms;

TEST(Lateness, EachSecondHasItsLongestStall) {
  Lateness lateness(start_ns);
  lateness.delivered(start_ns + 10 * ms, start_ns + 5 * ms);
  lateness.delivered(start_ns + 20 * ms, start_ns + 18 * ms);
  lateness.delivered(start_ns + 2'100 * ms, start_ns + 1'900 * ms);  // belongs to the second in which it ends
  EXPECT_EQ(lateness.by_second(), (Seconds{5 * ms, 0, 200 * ms}));
  EXPECT_EQ(lateness.deliveries().count(), 3u);
}

TEST(Lateness, AStallWithoutADeliveryIsAStall) {
  Lateness lateness(start_ns);
  lateness.looked(start_ns + 400 * ms, start_ns);
  EXPECT_EQ(lateness.by_second(), Seconds{400 * ms});
  EXPECT_EQ(lateness.deliveries().count(), 0u);
}

TEST(Lateness, AnEarlyDeliveryIsNoStall) {
  Lateness lateness(start_ns);
  lateness.delivered(start_ns + 10 * ms, start_ns + 11 * ms);
  EXPECT_EQ(lateness.by_second(), Seconds{0});
  EXPECT_EQ(lateness.deliveries().count(), 1u);
}

}  // namespace
