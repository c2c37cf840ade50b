// The switch's configuration, a JSON file. It is read and checked as a whole, once. Keys:
//   rate_bps        integer, 0..10^12; default 0: unlimited
//   overhead_bytes  integer, added to the bytes of every frame on the link; default 24
//   discipline      name of a queue discipline (testbed/queues/catalogue.h)
//   discipline_options
//                   object with options of the discipline; `observatory-switch --disciplines` lists all
//                   options and their defaults
//   queue_packets   integer >= 1: the queue's limit in packets; or
//   queue_bytes     integer >= 1: the queue's limit in frame bytes
//   random_loss     0 <= number < 1, the fraction of packets lost at random before the queue; default 0
//   seed            integer >= 0, the seed of everything random, and the salt of the hashes of flows; default 0
//   clients         list of 1 to 255 objects: name, client_netns, service_netns, interface, delay_down_ns,
//                   delay_up_ns and, if the client's downlink passes an access link before the bottleneck,
//     access        object: rate_bps (default 0: unlimited); queue_packets, the limit of the drop-tail queue
//                   (required with a rate, refused without one); delay_ns (default 0); loss, the fraction of
//                   packets lost at random (default 0)
//   queue_log       file of the per-packet log (queue_log.h); default: no log
//   flows           file of the 5-tuples; default: no such file
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
  std::string client_netns;   // files of the two network namespaces
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

// Throws UserError, which names the wrong key and what its value must be.
Config parse_config(const nlohmann::json& document);

// Reads and parses a file. Errors begin with the file's name.
Config load_config(const std::string& path);

// Every parameter in effect, as report and log state it (parameters.cc).
nlohmann::ordered_json parameters(const Config& config);

}  // namespace embedded
