// The growing ring.
#include "queues/ring.h"

#include <gtest/gtest.h>

namespace {

TEST(Ring, KeepsOrderWhileGrowingAcrossItsEnd) {
  queues::Ring<int> ring;
  int next_in = 0;
  int next_out = 0;
  for (; next_in < 700; ++next_in) {
    ring.push(next_in);
  }
  for (; next_out < 500; ++next_out) {
    ASSERT_EQ(ring.pop(), next_out);
  }
  for (; next_in < 5000; ++next_in) {  // wraps at 1024, then grows twice and more
    ring.push(next_in);
  }
  EXPECT_EQ(ring.size(), 4500u);
  for (; next_out < 5000; ++next_out) {
    ASSERT_EQ(ring.front(), next_out);
    ASSERT_EQ(ring.pop(), next_out);
  }
  EXPECT_TRUE(ring.empty());
}

}  // namespace
