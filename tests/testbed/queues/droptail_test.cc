// Drop-tail with a limit in packets and in bytes: which packets fit.
#include "queues/droptail.h"

#include <gtest/gtest.h>

#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

TEST(DropTail, ByBytesDropsAPacketThatDoesNotFitAndAcceptsASmallerOne) {
  DropTail queue(Limit{.bytes = 3000});
  EXPECT_EQ(enqueue(queue, packet(1, 1514), 0), Handles{});
  EXPECT_EQ(enqueue(queue, packet(2, 1000), 0), Handles{});
  EXPECT_EQ(enqueue(queue, packet(3, 487), 0), Handles{3});  // 3001 bytes with it
  EXPECT_EQ(enqueue(queue, packet(4, 486), 0), Handles{});
  EXPECT_EQ(queue.bytes(), 3000u);
  EXPECT_EQ(enqueue(queue, packet(5, 1), 0), Handles{5});
  EXPECT_EQ(dequeue(queue, 0), "1");
  EXPECT_EQ(enqueue(queue, packet(6, 1514), 0), Handles{});
  EXPECT_EQ(dequeue(queue, 0), "2");
  EXPECT_EQ(dequeue(queue, 0), "4");
  EXPECT_EQ(dequeue(queue, 0), "6");
  EXPECT_EQ(queue.bytes(), 0u);
}

TEST(DropTail, ByPacketsIgnoresBytes) {
  DropTail queue(Limit{.packets = 2});
  EXPECT_EQ(enqueue(queue, packet(1, 60), 0), Handles{});
  EXPECT_EQ(enqueue(queue, packet(2, 60000), 0), Handles{});
  EXPECT_EQ(enqueue(queue, packet(3, 60), 0), Handles{3});
  EXPECT_EQ(queue.packets(), 2u);
}

}  // namespace
