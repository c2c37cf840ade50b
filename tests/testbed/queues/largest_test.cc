// The queue with the most bytes: the same as a scan of all queues finds.
#include "queues/largest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

TEST(Largest, IsWhatAScanFinds) {
  for (const std::size_t count : {1u, 2u, 3u, 64u, 1000u}) {
    queues::Largest largest(count);
    std::vector<std::uint64_t> bytes(count);
    std::mt19937_64 random(count);
    for (int change = 0; change < 3000; ++change) {
      const auto number = static_cast<std::uint32_t>(random() % count);
      bytes[number] = random() % 7;  // so that many are equal
      largest.set(number, bytes[number]);
      const auto scanned = std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
      ASSERT_EQ(largest.number(), scanned) << count << " queues, change " << change;
    }
  }
}

}  // namespace
