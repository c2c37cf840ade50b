// The switch's configuration, a JSON file, read once and checked in full. Keys:
//   rate_bps        integer, 0..10^12; absent or 0: unlimited
//   overhead_bytes  integer, charged on top of every frame; absent: 24
//   discipline      a name testbed/queues/catalogue.h knows: droptail, codel, fq_codel
//   discipline_options
//                   object with what the discipline knows; absent: {}
//                     codel     target_ns (absent: 5 ms), interval_ns (100 ms), ecn (false)
//                     fq_codel  the same and queues (1024), quantum_bytes (1514)
//   queue_packets   integer >= 1: how much the queue holds; or
//   queue_bytes     integer >= 1: the same in frame bytes
//   random_loss     0 <= number < 1, the fraction lost at random before the queue; absent: 0
//   seed            integer >= 0; absent: 0. All chance comes from it
//   clients         one to 255 of {name, client_netns, service_netns, interface, delay_down_ns, delay_up_ns}
//                   and, if its downlink passes more before the bottleneck,
//     access        object: rate_bps (absent or 0: unlimited), queue_packets (of a drop-tail queue of its
//                   own; wherever there is a rate, and only there), then delay_ns (absent: 0), then loss
//                   (at random; absent: 0)
//   queue_log       file of the per-packet log (see queue_log.h); absent: none
//   flows           file of the 5-tuples; absent: none
//   report          file of the counters
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "queues/catalogue.h"

namespace embedded {

struct AccessConfig {
  std::uint64_t rate_bps = 0;
  std::uint32_t queue_packets = 0;
  std::int64_t delay_ns = 0;
  double loss = 0;
};

struct ClientConfig {
  std::string name;
  std::string client_netns;   // files that stand for the two network namespaces
  std::string service_netns;
  std::string interface;      // the TAP's name in both
  std::int64_t delay_down_ns = 0;
  std::int64_t delay_up_ns = 0;
  std::optional<AccessConfig> access;
};

struct Config {
  std::uint64_t rate_bps = 0;
  std::uint32_t overhead_bytes = 24;
  queues::QueueParameters queue;
  std::uint64_t seed = 0;
  std::vector<ClientConfig> clients;
  std::optional<std::string> queue_log;
  std::optional<std::string> flows;
  std::string report;
};

// Throws UserError, with the key that is wrong and what it must be.
Config parse_config(const nlohmann::json& document);

// Reads and parses a file; its name precedes every error.
Config load_config(const std::string& path);

// What ran, as report and log state it (parameters.cc).
nlohmann::ordered_json parameters(const Config& config);

}  // namespace embedded
