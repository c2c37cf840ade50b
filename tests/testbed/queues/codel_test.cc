// CoDel on a virtual clock that starts at 0: which packet is dropped when. The expected schedules were worked
// out by hand from the pseudocode of RFC 8289, section 5. Target 5 ms, interval 100 ms, control law t + 100
// ms / sqrt(count).
#include "queues/codel.h"

#include <gtest/gtest.h>

#include "scripted.h"

namespace {

using namespace queues;
using namespace scripted;

Codel make_codel(bool ecn = false) { return {Limit{.packets = 1000}, CodelParameters{.ecn = ecn}}; }

void fill(Codel& codel, std::uintptr_t first, std::uintptr_t last, std::int64_t now_ns,
          bool ecn_capable = false) {
  for (std::uintptr_t handle = first; handle <= last; ++handle) {
    Packet offered = packet(handle);
    offered.ecn_capable = ecn_capable;
    ASSERT_EQ(enqueue(codel, offered, now_ns), Handles{});
  }
}

// One dequeue every 10 ms, from and to included.
Words serve(Codel& codel, std::int64_t from_ms, std::int64_t to_ms) {
  Words words;
  for (std::int64_t now_ms = from_ms; now_ms <= to_ms; now_ms += 10) {
    words.push_back(dequeue(codel, now_ms * ms));
  }
  return words;
}

// 0 to 39 arrive at 0; one dequeue every 10 ms from 10 ms on.
//   10   0 has waited 10 ms >= 5: first_above = 10 + 100 = 110
//   110  10 is still above: dropped, 11 delivered; count 1, drop_next = 110 + 100 = 210
//   210  21 dropped, 22 delivered; count 2, drop_next = 210 + 70.710678 = 280.710678
//   280  29: not yet
//   290  30 dropped, 31 delivered; count 3, drop_next = 280.710678 + 57.735026 = 338.445704
//   340  36 dropped, 37 delivered; count 4, drop_next = 338.445704 + 50 = 388.445704
//   350  38 leaves one full frame in the queue: below, dropping ends
// 40 to 79 arrive at 350, after that dequeue.
//   360  39 is above: first_above = 460
//   460  49 dropped, 50 delivered; count has grown by 4 - 1 = 3 > 1 and 460 - 388 < 1600: it restarts at 3,
//        drop_next = 460 + 57.735026 = 517.735026
//   520  56 dropped, 57 delivered; count 4, drop_next = 517.735026 + 50 = 567.735026
//   570  62 dropped, 63 delivered; count 5, drop_next = 567.735026 + 44.721359 = 612.456385
//   620  68 dropped, 69 delivered
TEST(Codel, DropsWhatThePseudocodeOfTheRfcDrops) {
  Codel codel = make_codel();
  fill(codel, 0, 39, 0);
  EXPECT_EQ(serve(codel, 10, 100), (Words{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(serve(codel, 110, 110), Words{"x10 11"});
  EXPECT_EQ(serve(codel, 120, 200), (Words{"12", "13", "14", "15", "16", "17", "18", "19", "20"}));
  EXPECT_EQ(serve(codel, 210, 290), (Words{"x21 22", "23", "24", "25", "26", "27", "28", "29", "x30 31"}));
  EXPECT_EQ(serve(codel, 300, 350), (Words{"32", "33", "34", "35", "x36 37", "38"}));
  fill(codel, 40, 79, 350 * ms);
  EXPECT_EQ(serve(codel, 360, 450), (Words{"39", "40", "41", "42", "43", "44", "45", "46", "47", "48"}));
  EXPECT_EQ(serve(codel, 460, 520), (Words{"x49 50", "51", "52", "53", "54", "55", "x56 57"}));
  EXPECT_EQ(serve(codel, 530, 620),
            (Words{"58", "59", "60", "61", "x62 63", "64", "65", "66", "67", "x68 69"}));
}

// As above until 110; the next dequeue is at 400 ms. By then drops were due at 210, 280.7, 338.4 and 388.4;
// the next is at 388.445704 + 44.721359 = 433.167063.
TEST(Codel, OneDequeueMakesAllDropsThatAreDue) {
  Codel codel = make_codel();
  fill(codel, 0, 39, 0);
  serve(codel, 10, 110);
  EXPECT_EQ(dequeue(codel, 400 * ms), "x12 x13 x14 x15 16");
  EXPECT_EQ(dequeue(codel, 433'167'062), "17");
  EXPECT_EQ(dequeue(codel, 433'167'063), "x18 19");
}

// All arrive at 0.
//   100  first_above = 200
//   200  4 marked and delivered; count 1, drop_next = 300
//   600  6 marked; count 2, drop_next = 300 + 70.7: also passed, but a dequeue marks only what it delivers
//   600  7 marked; count 3, drop_next = 370.7 + 57.7 = 428.4
TEST(Codel, MarksAPacketThatCanCarryAMarkInsteadOfDroppingIt) {
  Codel codel = make_codel(true);
  fill(codel, 0, 39, 0, true);
  EXPECT_EQ(serve(codel, 100, 130), (Words{"0", "1", "2", "3"}));
  EXPECT_EQ(dequeue(codel, 200 * ms), "!4");
  EXPECT_EQ(dequeue(codel, 299 * ms), "5");
  EXPECT_EQ(dequeue(codel, 600 * ms), "!6");
  EXPECT_EQ(dequeue(codel, 600 * ms), "!7");
}

TEST(Codel, DropsWhatCannotCarryAMark) {
  Codel codel = make_codel(true);
  fill(codel, 0, 3, 0, true);
  fill(codel, 4, 9, 0, false);
  serve(codel, 100, 130);
  EXPECT_EQ(dequeue(codel, 200 * ms), "x4 5");
  Codel without = make_codel(false);
  fill(without, 0, 9, 0, true);
  serve(without, 100, 130);
  EXPECT_EQ(dequeue(without, 200 * ms), "x4 5");
}

TEST(Codel, NeverDropsWithAtMostAFullFrameQueuedBehind) {
  Codel codel = make_codel();
  for (std::uintptr_t handle = 0; handle < 100; ++handle) {
    const auto now_ns = static_cast<std::int64_t>(handle) * 50 * ms;
    fill(codel, 2 * handle, 2 * handle + 1, now_ns);
    EXPECT_EQ(dequeue(codel, now_ns + 20 * ms), std::to_string(2 * handle));
    EXPECT_EQ(dequeue(codel, now_ns + 40 * ms), std::to_string(2 * handle + 1));
  }
}

// One packet per interval that waited less than the target shows that the queue is good.
TEST(Codel, OneShortWaitRestartsTheInterval) {
  Codel codel = make_codel();
  fill(codel, 0, 8, 0);
  EXPECT_EQ(serve(codel, 10, 90), (Words{"0", "1", "2", "3", "4", "5", "6", "7", "8"}));
  fill(codel, 9, 40, 90 * ms);
  EXPECT_EQ(dequeue(codel, 94 * ms), "9");  // waited 4 ms
  EXPECT_EQ(serve(codel, 110, 200), (Words{"10", "11", "12", "13", "14", "15", "16", "17", "18", "19"}));
  EXPECT_EQ(dequeue(codel, 210 * ms), "x20 21");  // 110 + 100
}

// As the first test until 350, where count is 4. More than 16 intervals later it restarts at 1, so that the
// second drop comes after 100 ms, not 57.7.
TEST(Codel, ForgetsTheDropRateOfLongAgo) {
  Codel codel = make_codel();
  fill(codel, 0, 39, 0);
  serve(codel, 10, 350);
  EXPECT_EQ(dequeue(codel, 360 * ms), "39");
  fill(codel, 40, 99, 2000 * ms);
  serve(codel, 2010, 2100);
  EXPECT_EQ(dequeue(codel, 2110 * ms), "x50 51");
  EXPECT_EQ(serve(codel, 2120, 2200), (Words{"52", "53", "54", "55", "56", "57", "58", "59", "60"}));
  EXPECT_EQ(dequeue(codel, 2210 * ms), "x61 62");
}

TEST(Codel, DropsAPacketThatArrivesAtAFullQueue) {
  Codel codel(Limit{.packets = 2}, CodelParameters{});
  fill(codel, 0, 1, 0);
  const auto dropped = codel.enqueue(packet(2), 0);
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].packet.handle, 2u);
  EXPECT_EQ(dropped[0].verdict, Verdict::dropped_tail);
}

}  // namespace
