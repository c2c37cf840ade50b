// Checks and reads the configuration described in config.h; every message names the key.
#include "config.h"

#include <net/if.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <set>

#include "errors.h"
#include "section.h"

namespace embedded {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_bps = 1'000'000'000'000;
constexpr std::uint64_t most_clients = 255;  // the log's client column has one byte
constexpr std::uint64_t most_packets = std::numeric_limits<std::uint32_t>::max();

queues::CodelParameters parse_codel(const Section& section) {
  queues::CodelParameters codel;
  codel.target_ns = section.ns_or("target_ns", codel.target_ns, 1);
  codel.interval_ns = section.ns_or("interval_ns", codel.interval_ns, 1);
  codel.ecn = section.flag_or("ecn", codel.ecn);
  return codel;
}

queues::FqCodelParameters parse_discipline_options(const json& object, const std::string& discipline) {
  const std::string place = "discipline_options";
  if (discipline == "droptail") {
    const Section none(object, place, {});
    return {};
  }
  if (discipline == "codel") {
    return {.codel = parse_codel(Section(object, place, {"target_ns", "interval_ns", "ecn"}))};
  }
  if (discipline == "fq_codel") {
    const Section section(object, place, {"target_ns", "interval_ns", "ecn", "queues", "quantum_bytes"});
    queues::FqCodelParameters parameters{.codel = parse_codel(section)};
    if (section.has("queues")) {
      parameters.queues = static_cast<std::uint32_t>(section.integer("queues", 1, 65536));
    }
    if (section.has("quantum_bytes")) {
      parameters.quantum_bytes = static_cast<std::uint32_t>(section.integer("quantum_bytes", 1, 1 << 24));
    }
    return parameters;
  }
  throw UserError("discipline: there is none of the name " + discipline);
}

queues::Limit parse_limit(const Section& section) {
  if (section.has("queue_packets") == section.has("queue_bytes")) {
    throw UserError("give one of queue_packets and queue_bytes");
  }
  queues::Limit limit;
  if (section.has("queue_packets")) {
    limit.packets = section.integer("queue_packets", 1, most_packets);
  } else {
    limit.bytes = section.integer("queue_bytes", 1, std::numeric_limits<std::uint32_t>::max());
  }
  return limit;
}

queues::QueueParameters parse_queue(const Section& section, std::uint64_t seed) {
  queues::QueueParameters queue;
  queue.discipline = section.text("discipline");
  const std::string options = "discipline_options";
  queue.fq_codel = parse_discipline_options(
      section.has(options) ? section.value(options) : json::object(), queue.discipline);
  queue.limit = parse_limit(section);
  queue.random_loss = section.fraction_or_0("random_loss");
  queue.seed = seed;
  return queue;
}

AccessConfig parse_access(const json& object, const std::string& place) {
  const Section section(object, place, {"rate_bps", "queue_packets", "delay_ns", "loss"});
  AccessConfig access;
  access.rate_bps = section.integer_or("rate_bps", 0, most_bps);
  if (access.rate_bps > 0) {
    access.queue_packets = static_cast<std::uint32_t>(section.integer("queue_packets", 1, most_packets));
  } else if (section.has("queue_packets")) {
    throw UserError(section.name("queue_packets") + " is of no use without a rate_bps");
  }
  access.delay_ns = section.ns_or("delay_ns", 0, 0);
  access.loss = section.fraction_or_0("loss");
  return access;
}

ClientConfig parse_client(const json& object, std::size_t number) {
  const Section section(
      object, "clients[" + std::to_string(number) + "]",
      {"name", "client_netns", "service_netns", "interface", "delay_down_ns", "delay_up_ns", "access"});
  ClientConfig client;
  client.name = section.text("name");
  client.client_netns = section.text("client_netns");
  client.service_netns = section.text("service_netns");
  client.interface = section.text("interface");
  if (client.interface.size() >= IFNAMSIZ) {
    throw UserError(section.name("interface") + " must have at most 15 characters");
  }
  client.delay_down_ns = static_cast<std::int64_t>(section.integer("delay_down_ns", 0, Section::day_ns));
  client.delay_up_ns = static_cast<std::int64_t>(section.integer("delay_up_ns", 0, Section::day_ns));
  if (section.has("access")) {
    client.access = parse_access(section.value("access"), section.name("access"));
  }
  return client;
}

std::vector<ClientConfig> parse_clients(const json& list) {
  if (!list.is_array() || list.empty() || list.size() > most_clients) {
    throw UserError("clients must be a list of 1 to 255 clients");
  }
  std::vector<ClientConfig> clients;
  std::set<std::string> names;
  for (std::size_t number = 0; number < list.size(); ++number) {
    clients.push_back(parse_client(list[number], number));
    if (!names.insert(clients.back().name).second) {
      throw UserError("clients: the name " + clients.back().name + " stands twice");
    }
  }
  return clients;
}

}  // namespace

Config parse_config(const json& document) {
  const Section section(document, "",
                        {"rate_bps", "overhead_bytes", "discipline", "discipline_options", "queue_packets",
                         "queue_bytes", "random_loss", "seed", "clients", "queue_log", "flows", "report"});
  Config config;
  config.rate_bps = section.integer_or("rate_bps", 0, most_bps);
  config.overhead_bytes = static_cast<std::uint32_t>(section.integer_or("overhead_bytes", 24, 65535));
  config.seed = section.integer_or("seed", 0, std::numeric_limits<std::uint64_t>::max());
  config.queue = parse_queue(section, config.seed);
  config.clients = parse_clients(section.value("clients"));
  config.queue_log = section.optional_text("queue_log");
  config.flows = section.optional_text("flows");
  config.report = section.text("report");
  return config;
}

Config load_config(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw UserError(system_message(path, errno));
  }
  try {
    return parse_config(json::parse(file));
  } catch (const json::parse_error& error) {
    throw UserError(path + ": not JSON: " + error.what());
  } catch (const UserError& error) {
    throw UserError(path + ": " + error.what());
  }
}

}  // namespace embedded
