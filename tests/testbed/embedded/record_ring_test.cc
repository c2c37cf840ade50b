// The bounded ring between the forwarding thread and the log's writer.
#include "record_ring.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>

namespace {

TEST(RecordRing, RefusesWhatDoesNotFit) {
  embedded::RecordRing<int> ring(4);
  for (int value = 0; value < 4; ++value) {
    EXPECT_TRUE(ring.push(value));
  }
  EXPECT_FALSE(ring.push(4));
  ring.consume(1);
  EXPECT_TRUE(ring.push(5));
  EXPECT_EQ(ring.readable().size(), 3u);  // up to the end of the memory
  ring.consume(3);
  ASSERT_EQ(ring.readable().size(), 1u);
  EXPECT_EQ(ring.readable()[0], 5);
}

TEST(RecordRing, HandsEveryRecordFromThreadToThreadInOrder) {
  constexpr std::uint64_t count = 300'000;
  embedded::RecordRing<std::uint64_t> ring(64);
  std::thread producer([&ring] {
    for (std::uint64_t value = 0; value < count;) {
      if (ring.push(value)) {
        ++value;
      } else {
        std::this_thread::yield();
      }
    }
  });
  std::uint64_t expected = 0;
  std::uint64_t wrong = 0;
  while (expected < count) {
    const auto records = ring.readable();
    for (const std::uint64_t value : records) {
      wrong += value == expected ? 0 : 1;
      ++expected;
    }
    ring.consume(records.size());
    if (records.empty()) {
      std::this_thread::yield();
    }
  }
  producer.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
