// The log's bytes: preamble, record layout, records in the file, and a full disk.
#include "queue_log.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "errors.h"

namespace {

using namespace embedded;

const nlohmann::ordered_json some_parameters = {{"rate_bps", 8000000}, {"seed", 5}};

template <typename T>
T number_at(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

queues::Outcome forwarded() {
  queues::Outcome outcome;
  outcome.packet.arrival_ns = 1'000;
  outcome.packet.client = 1;
  outcome.packet.flow = 3;
  outcome.packet.tcp_seq = 0xFFFFFFFE;
  outcome.packet.frame_bytes = 1514;
  outcome.packet.ip_bytes = 1500;
  outcome.packet.backlog_packets = 2;
  outcome.packet.backlog_bytes = 3028;
  outcome.departure_ns = 2'500;
  outcome.serialised_ns = 9'999;
  return outcome;
}

TEST(QueueRecord, HasTheLayoutOfTheFormat) {
  static_assert(sizeof(QueueRecord) == 52);
  const QueueRecord record = make_record(forwarded(), 1'000'000);
  const std::string bytes(reinterpret_cast<const char*>(&record), sizeof record);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, 0), 1'001'000u);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, 8), 1'002'500u);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, 16), 0u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 24), 3u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 28), 0xFFFFFFFEu);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 32), 1514u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 36), 1500u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 40), 2u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 44), 3028u);
  EXPECT_EQ(number_at<std::uint8_t>(bytes, 48), 0u);
  EXPECT_EQ(number_at<std::uint8_t>(bytes, 49), 2u);  // clients count from 1
  EXPECT_EQ(number_at<std::uint16_t>(bytes, 50), 0u);
}

TEST(QueueRecord, ADroppedPacketHasNoDeparture) {
  queues::Outcome outcome = forwarded();
  outcome.verdict = queues::Verdict::dropped_tail;
  outcome.departure_ns = 0;
  outcome.dropped_ns = 1'700;
  const QueueRecord record = make_record(outcome, 1'000'000);
  EXPECT_EQ(record.departure_ns, 0u);
  EXPECT_EQ(record.dropped_ns, 1'001'700u);
  EXPECT_EQ(record.arrival_ns, 1'001'000u);
  EXPECT_EQ(record.verdict, 1u);
}

TEST(QueueLog, PreambleDescribesRecordsOfFiftyTwoBytes) {
  const std::string preamble = log_preamble(some_parameters);
  EXPECT_EQ(preamble.substr(0, 8), "IFOQUEUE");
  EXPECT_EQ(number_at<std::uint32_t>(preamble, 8), 1u);
  ASSERT_EQ(number_at<std::uint32_t>(preamble, 12), preamble.size() - 16);
  const auto head = nlohmann::json::parse(preamble.substr(16));
  EXPECT_EQ(head.at("version"), 1);
  EXPECT_EQ(head.at("seed"), 5);
  EXPECT_EQ(head.at("parameters").at("rate_bps"), 8000000);
  EXPECT_EQ(head.at("record"), nlohmann::json::parse(R"([
    ["arrival_ns", "<u8"], ["departure_ns", "<u8"], ["dropped_ns", "<u8"], ["flow", "<u4"],
    ["tcp_seq", "<u4"], ["frame_bytes", "<u4"], ["ip_bytes", "<u4"], ["backlog_packets", "<u4"],
    ["backlog_bytes", "<u4"],
    ["verdict", "u1"], ["client", "u1"], ["reserved", "<u2"]])"));
  for (const auto& column : head.at("record")) {
    EXPECT_TRUE(head.at("units").contains(column.at(0))) << column;
  }
}

TEST(QueueLog, EveryRecordReachesTheFileInOrder) {
  const std::string path = testing::TempDir() + "queue_log_test." + std::to_string(getpid());
  constexpr std::size_t count = 10'000;
  {
    QueueLog log(path, some_parameters);
    QueueRecord record;
    for (std::size_t number = 0; number < count; ++number) {
      record.arrival_ns = number;
      log.add(record);
    }
    log.close();
    EXPECT_EQ(log.records(), count);
    EXPECT_EQ(log.lost(), 0u);
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  const std::size_t start = log_preamble(some_parameters).size();
  ASSERT_EQ(bytes.size(), start + count * 52);
  for (std::size_t number = 0; number < count; ++number) {
    ASSERT_EQ(number_at<std::uint64_t>(bytes, start + number * 52), number);
  }
}

TEST(QueueLog, AFullDiskIsReported) {
  QueueLog log("/dev/full", some_parameters);
  pollfd failure{log.failure_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&failure, 1, 10'000), 1);
  EXPECT_THROW(log.check(), std::runtime_error);
  EXPECT_THROW(log.close(), std::runtime_error);
}

TEST(QueueLog, AnImpossiblePathIsAUserError) {
  EXPECT_THROW(QueueLog("/nonexistent/queue.bin", some_parameters), UserError);
}

}  // namespace
