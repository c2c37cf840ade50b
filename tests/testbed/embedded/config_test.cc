// The configuration: what is read, what is assumed, and that every mistake is named.
#include "config.h"

#include <gtest/gtest.h>

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

// The message of the error that a change to the valid document leads to.
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
  EXPECT_EQ(config.discipline, "droptail");
  EXPECT_EQ(config.queue_packets, 128u);
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
  EXPECT_EQ(error_after([](json& d) { d["discipline"] = "red"; }),
            "discipline: there is none of the name red");
  EXPECT_EQ(error_after([](json& d) { d["clients"] = json::array(); }),
            "clients must be a list of 1 to 255 clients");
  EXPECT_EQ(error_after([](json& d) { d["clients"].push_back(d["clients"][0]); }),
            "clients: the name c1 stands twice");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0] = 3u; }), "clients[0] must be an object");
  EXPECT_EQ(error_after([](json& d) { d["clients"][0]["interface"] = "sixteen-letters-"; }),
            "clients[0].interface must have at most 15 characters");
  EXPECT_EQ(error_after([](json& d) { d = json::array(); }), "the document must be an object");
}

TEST(Config, AMissingFileIsTheUsersToMend) {
  EXPECT_THROW(load_config("/nonexistent/switch.json"), UserError);
}

}  // namespace
