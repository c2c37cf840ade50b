// The limiter's arithmetic: exact times without drift.
#include "queues/link.h"

#include <gtest/gtest.h>

namespace {

using queues::Link;

TEST(Link, ChargesFrameAndOverhead) {
  Link link(8'000'000, 24);
  EXPECT_EQ(link.send(1514), 1'538'000);
  EXPECT_EQ(link.send(1514), 3'076'000);
  Link bare(8'000'000, 0);
  EXPECT_EQ(bare.send(1514), 1'514'000);
}

// 1 byte at 3 bit/s takes 2,666,666,666 2/3 ns; times are rounded up, the fraction is not lost.
TEST(Link, CarriesTheFraction) {
  Link link(3, 0);
  EXPECT_EQ(link.send(1), 2'666'666'667);
  EXPECT_EQ(link.send(1), 5'333'333'334);
  EXPECT_EQ(link.send(1), 8'000'000'000);
}

// 10^6 * 1538 * 8 bits at 7 Mbps: 1757 5/7 s. Truncating each packet would lose 285,714 ns of them.
TEST(Link, DoesNotDriftAtAnAwkwardRate) {
  Link link(7'000'000, 24);
  std::int64_t end_ns = 0;
  for (int sent = 0; sent < 1'000'000; ++sent) {
    end_ns = link.send(1514);
  }
  EXPECT_EQ(end_ns, 1'757'714'285'715);  // ...714.28 rounded up
}

TEST(Link, SevenPacketsAtSevenMegabitAddUpToWholeNanoseconds) {
  Link link(7'000'000, 24);
  for (int sent = 0; sent < 6; ++sent) {
    link.send(1514);
  }
  EXPECT_EQ(link.send(1514), 1538 * 8 * 1000);
}

TEST(Link, IdlingForgetsTheFraction) {
  Link link(3, 0);
  link.send(1);
  link.idle_until(3'000'000'000);
  EXPECT_EQ(link.free_ns(), 3'000'000'000);
  EXPECT_EQ(link.send(1), 5'666'666'667);
}

TEST(Link, IdlingWhileBusyChangesNothing) {
  Link link(3, 0);
  link.send(1);
  link.idle_until(2'666'666'666);  // a third of a nanosecond too early
  EXPECT_EQ(link.send(1), 5'333'333'334);
}

TEST(Link, UnlimitedTakesNoTime) {
  Link link(0, 24);
  link.idle_until(9);
  EXPECT_EQ(link.send(65'535), 9);
}

TEST(Link, LargestFrameAtTheSmallestAndLargestRate) {
  Link slow(1, 65'535);
  EXPECT_EQ(slow.send(65'535), 131'070LL * 8 * 1'000'000'000);
  Link fast(1'000'000'000'000, 24);
  EXPECT_EQ(fast.send(1514), 13);  // 12.304 ns
  EXPECT_EQ(fast.send(1514), 25);  // 24.608 ns
}

}  // namespace
