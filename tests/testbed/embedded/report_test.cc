// The switch's files: their keys and sums, and that they appear complete.
#include "report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

using namespace embedded;

Config two_clients() {
  Config config;
  config.rate_bps = 8'000'000;
  config.queue.discipline = queues::find_discipline("droptail");
  config.queue.limit.packets = 128;
  config.seed = 3;
  config.clients.resize(2);
  config.clients[0].name = "c1";
  config.clients[0].delay_down_ns = 25'000'000;
  config.clients[1].name = "c2";
  return config;
}

TEST(Report, HasTheSumAndEachClient) {
  RunFacts facts;
  facts.counters.resize(2);
  facts.counters[0].lost_before = {2, 20};
  facts.counters[0].arrived = {10, 1000};
  facts.counters[0].forwarded = {6, 600};
  facts.counters[0].dropped = {3, 300};
  facts.counters[0].left = {1, 100};
  facts.counters[0].uplink.arrived = {6, 60};
  facts.counters[0].uplink.forwarded = {4, 40};
  facts.counters[0].uplink.left = {2, 20};
  facts.counters[1].arrived = {5, 50};
  facts.counters[1].forwarded = {5, 50};
  facts.write_errors = 1;
  facts.lateness.delivered(1'000'000'007, 1'000'000'000);
  facts.earliness.add(-7);
  facts.log_records = 14;
  facts.epoch_offset_start_ns = 100;
  facts.epoch_offset_end_ns = 101;
  facts.cpu_ns = 9;
  auto expected = nlohmann::json::parse(R"({
    "parameters": {"rate_bps": 8000000, "overhead_bytes": 24, "discipline": "droptail",
      "discipline_options": {}, "queue_packets": 128, "random_loss": 0.0, "seed": 3,
      "clients": [{"name": "c1", "delay_down_ns": 25000000, "delay_up_ns": 0},
                  {"name": "c2", "delay_down_ns": 0, "delay_up_ns": 0}]},
    "downlink": {"lost_before_packets": 2, "lost_before_bytes": 20,
      "arrived_packets": 15, "arrived_bytes": 1050, "forwarded_packets": 11,
      "forwarded_bytes": 650, "dropped_packets": 3, "dropped_bytes": 300, "left_packets": 1,
      "left_bytes": 100,
      "clients": [
        {"name": "c1", "lost_before_packets": 2, "lost_before_bytes": 20,
         "arrived_packets": 10, "arrived_bytes": 1000, "forwarded_packets": 6,
         "forwarded_bytes": 600, "dropped_packets": 3, "dropped_bytes": 300, "left_packets": 1,
         "left_bytes": 100},
        {"name": "c2", "lost_before_packets": 0, "lost_before_bytes": 0,
         "arrived_packets": 5, "arrived_bytes": 50, "forwarded_packets": 5,
         "forwarded_bytes": 50, "dropped_packets": 0, "dropped_bytes": 0, "left_packets": 0,
         "left_bytes": 0}]},
    "uplink": {"clients": [{"name": "c1", "packets": 4, "bytes": 40,
                            "arrived_packets": 6, "arrived_bytes": 60, "left_packets": 2, "left_bytes": 20},
                           {"name": "c2", "packets": 0, "bytes": 0,
                            "arrived_packets": 0, "arrived_bytes": 0, "left_packets": 0, "left_bytes": 0}]},
    "write_errors": 1,
    "lateness_ns": {"p50": 7, "p99": 7, "max": 7, "count": 1, "start_ns": 100, "by_second": [0, 7]},
    "earliness_ns": {"p50": 0, "p99": 0, "max": 0, "count": 1},
    "log": {"records": 14, "lost": 0}, "clock_offset_ns": {"start": 100, "end": 101},
    "realtime": false, "cpu_ns": 9})");
  expected["version"] = SWITCH_VERSION;
  EXPECT_EQ(nlohmann::json::parse(report_json(two_clients(), facts).dump()), expected);
}

TEST(Report, FlowsNameClientAndAddresses) {
  Flow flow;
  flow.client = 1;
  flow.tuple.ip_version = 4;
  flow.tuple.protocol = 6;
  flow.tuple.source = {198, 18, 2, 10};
  flow.tuple.destination = {198, 18, 2, 2};
  flow.tuple.source_port = 5201;
  flow.tuple.destination_port = 40000;
  EXPECT_EQ(nlohmann::json::parse(flows_json(two_clients(), {flow}).dump()), nlohmann::json::parse(R"([
    {"client": "c2", "protocol": 6, "source": "198.18.2.10", "source_port": 5201,
     "destination": "198.18.2.2", "destination_port": 40000}])"));
  EXPECT_EQ(flows_json(two_clients(), {}).dump(), "[]");
}

TEST(Report, IsWrittenWholeOrNotAtAll) {
  const std::string path = testing::TempDir() + "report_test." + std::to_string(getpid());
  write_atomically(path, {{"a", 1}});
  std::ifstream file(path);
  EXPECT_EQ(nlohmann::json::parse(file), nlohmann::json::parse(R"({"a": 1})"));
  EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
  std::filesystem::remove(path);
  EXPECT_THROW(write_atomically("/nonexistent/report.json", {{"a", 1}}), std::runtime_error);
}

}  // namespace
