// The configuration: its keys, their defaults, and errors that name the wrong key.
#include "config.h"

#include <gtest/gtest.h>

#include "discipline_options.h"
#include "errors.h"

namespace {

using namespace embedded;
using nlohmann::json;

json valid() {
  return json::parse(R"({
    "rate_bps": 8000000, "overhead_bytes": 24, "discipline": "droptail", "queue_packets": 128, "seed": 7,
    "clients": [{"name": "c1", "client_netns": "/a", "service_netns": "/b", "interface": "eth0",
                 "delay_down_ns": 25000000, "delay_up_ns": 24000000}],
    "queue_log": "/q", "flows": "/f", "report": "/r"})");
}

// The error message after a change to the valid document.
std::string error_after(void (*change)(json&)) {
  json document = valid();
  change(document);
  try {
    parse_config(document);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Config, ReadsEveryKey) {
  const Config config = parse_config(valid());
  EXPECT_EQ(config.rate_bps, 8'000'000u);
  EXPECT_EQ(config.overhead_bytes, 24u);
  EXPECT_EQ(config.queue.discipline->name(), "droptail");
  EXPECT_EQ(config.queue.limit.packets, 128u);
  EXPECT_EQ(config.queue.limit.bytes, queues::Limit::none);
  EXPECT_EQ(config.queue.random_loss, 0);
  EXPECT_EQ(config.queue.seed, 7u);
  EXPECT_EQ(config.seed, 7u);
  ASSERT_EQ(config.clients.size(), 1u);
  EXPECT_EQ(config.clients[0].name, "c1");
  EXPECT_EQ(config.clients[0].client_netns, "/a");
  EXPECT_EQ(config.clients[0].service_netns, "/b");
  EXPECT_EQ(config.clients[0].interface, "eth0");
  EXPECT_EQ(config.clients[0].delay_down_ns, 25'000'000);
  EXPECT_EQ(config.clients[0].delay_up_ns, 24'000'000);
  EXPECT_EQ(config.queue_log, "/q");
  EXPECT_EQ(config.flows, "/f");
  EXPECT_EQ(config.report, "/r");
}

TEST(Config, OptionalKeysHaveTheirDefaults) {
  json document = valid();
  for (const char* key : {"rate_bps", "overhead_bytes", "seed", "queue_log", "flows"}) {
    document.erase(key);
  }
  const Config config = parse_config(document);
  EXPECT_EQ(config.rate_bps, 0u);
  EXPECT_EQ(config.overhead_bytes, 24u);
  EXPECT_EQ(config.seed, 0u);
  EXPECT_EQ(config.queue_log, std::nullopt);
  EXPECT_EQ(config.flows, std::nullopt);
}

TEST(Config, ReadsTheQueue) {
  json document = valid();
  document.erase("queue_packets");
  document["queue_bytes"] = 150000u;
  document["random_loss"] = 0.01;
  document["discipline"] = "fq_codel";
  document["discipline_options"] = {{"target_ns", 6000000u}, {"ecn", true}, {"queues", 16u}};
  const queues::QueueParameters queue = parse_config(document).queue;
  EXPECT_EQ(queue.limit.packets, queues::Limit::none);
  EXPECT_EQ(queue.limit.bytes, 150'000u);
  EXPECT_EQ(queue.random_loss, 0.01);
  EXPECT_EQ(queue.discipline->name(), "fq_codel");
  EXPECT_EQ(options_json(queue.discipline->options()).dump(),
            R"({"target_ns":6000000,"interval_ns":100000000,"ecn":true,"as_linux":false,"queues":16,"quantum_bytes":1514})");
}

TEST(Config, ReadsTheAccess) {
  json document = valid();
  EXPECT_FALSE(parse_config(document).clients[0].access);
  document["clients"][0]["access"] = {
      {"rate_bps", 2000000u}, {"queue_packets", 50u}, {"delay_ns", 5u}, {"loss", 0.5}};
  const AccessConfig access = *parse_config(document).clients[0].access;
  EXPECT_EQ(access.rate_bps, 2'000'000u);
  EXPECT_EQ(access.queue_packets, 50u);
  EXPECT_EQ(access.delay_ns, 5);
  EXPECT_EQ(access.loss, 0.5);
}

TEST(Config, StatesEveryParameterInEffect) {
  json document = valid();
  document["discipline"] = "fq_codel";
  document["discipline_options"] = {{"interval_ns", 50000000u}};
  document["clients"][0]["access"] = {{"delay_ns", 5u}};
  EXPECT_EQ(json::parse(parameters(parse_config(document)).dump()), json::parse(R"({
    "rate_bps": 8000000, "overhead_bytes": 24, "discipline": "fq_codel",
    "discipline_options": {"target_ns": 5000000, "interval_ns": 50000000, "ecn": false, "as_linux": false, "queues": 1024,
                           "quantum_bytes": 1514},
    "queue_packets": 128, "random_loss": 0.0, "seed": 7,
    "clients": [{"name": "c1", "delay_down_ns": 25000000, "delay_up_ns": 24000000,
                 "access": {"rate_bps": 0, "delay_ns": 5, "loss": 0.0}}]})"));
}

TEST(Config, NamesTheKeyThatIsWrong) {
  EXPECT_EQ(error_after([](json& d) { d["ratebps"] = 1u; }), "unknown key ratebps");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["delay"] = 1u; }), "unknown key clients[0].delay");
  EXPECT_EQ(error_after([](json& d) { d.erase("report"); }), "missing key report");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0].erase("interface"); }),
            "missing key clients[0].interface");
  EXPECT_EQ(error_after([](json& d) { d["rate_bps"] = -1; }),
            "rate_bps must be an integer from 0 to 1000000000000, not -1");
  EXPECT_EQ(error_after([](json& d) { d["rate_bps"] = 8e6; }),
            "rate_bps must be an integer from 0 to 1000000000000, not 8000000.0");
  EXPECT_EQ(error_after([](json& d) { d["queue_packets"] = 0u; }),
            "queue_packets must be an integer from 1 to 4294967295, not 0");
  EXPECT_EQ(error_after([](json& d) { d["report"] = ""; }), "report must be a non-empty string, not \"\"");
  std::string known;
  for (const auto& entry : queues::catalogue()) {
    known += (known.empty() ? "" : ", ") + entry->name();
  }
  EXPECT_EQ(error_after([](json& d) { d["discipline"] = "none"; }),
            "discipline: none is unknown; known are: " + known);
  EXPECT_EQ(error_after([](json& d) { d["queue_bytes"] = 1u; }),
            "give exactly one of queue_packets and queue_bytes");
  EXPECT_EQ(error_after([](json& d) { d.erase("queue_packets"); }),
            "give exactly one of queue_packets and queue_bytes");
  EXPECT_EQ(error_after([](json& d) { d["random_loss"] = 1u; }),
            "random_loss must be a number of at least 0 and less than 1, not 1");
  EXPECT_EQ(error_after([](json& d) { d["discipline_options"] = {{"ecn", true}}; }),
            "unknown key discipline_options.ecn");
  EXPECT_EQ(error_after([](json& d) {
              d["discipline"] = "codel";
              d["discipline_options"] = {{"queues", 16u}};
            }),
            "unknown key discipline_options.queues");
  EXPECT_EQ(error_after([](json& d) {
              d["discipline"] = "codel";
              d["discipline_options"] = {{"ecn", 1u}};
            }),
            "discipline_options.ecn must be true or false, not 1");
  EXPECT_EQ(error_after([](json& d) {
              d["discipline"] = "codel";
              d["discipline_options"] = {{"target_ns", 0u}};
            }),
            "discipline_options.target_ns must be an integer from 1 to 86400000000000, not 0");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["access"] = {{"rate_bps", 1u}}; }),
            "missing key clients[0].access.queue_packets");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["access"] = {{"queue_packets", 1u}}; }),
            "clients[0].access.queue_packets needs a rate_bps; without one nothing is queued");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["access"] = {{"loss", -0.1}}; }),
            "clients[0].access.loss must be a number of at least 0 and less than 1, not -0.1");
  EXPECT_EQ(error_after([](json& d) { d["clients"] = json::array(); }),
            "clients must be a list of 1 to 255 clients");
  EXPECT_EQ(error_after([](json& d) { d["clients"].push_back(d["clients"][0]); }),
            "clients: the name c1 is a duplicate");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0] = 3u; }), "clients[0] must be an object");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["interface"] = "sixteen-letters-"; }),
            "clients[0].interface must have at most 15 characters");
  EXPECT_EQ(error_after([](json& d) { d = json::array(); }), "the document must be an object");
}

TEST(Config, AMissingFileIsAUserError) {
  EXPECT_THROW(load_config("/nonexistent/switch.json"), UserError);
}

}  // namespace
