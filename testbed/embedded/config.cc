// Reads and checks the configuration that config.h describes.
#include "config.h"

#include <net/if.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "discipline_options.h"
#include "errors.h"
#include "section.h"

namespace embedded {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_bps = 1'000'000'000'000;
constexpr std::size_t most_clients = 255;  // the log's client column has one byte
constexpr std::uint64_t most_queued = std::numeric_limits<std::uint32_t>::max();  // packets or bytes

std::unique_ptr<queues::CatalogueEntry> parse_discipline(const Section& section) {
  const std::string name = section.text("discipline");
  auto discipline = queues::find_discipline(name);
  if (!discipline) {
    std::string known;
    for (const auto& entry : queues::catalogue()) {
      known += (known.empty() ? "" : ", ") + entry->name();
    }
    throw UserError("discipline: " + name + " is unknown; known are: " + known);
  }
  const std::string options = "discipline_options";
  if (section.has(options)) {
    read_options(section.value(options), options, discipline->options());
  }
  return discipline;
}

queues::Limit parse_limit(const Section& section) {
  if (section.has("queue_packets") == section.has("queue_bytes")) {
    throw UserError("give exactly one of queue_packets and queue_bytes");
  }
  queues::Limit limit;
  if (section.has("queue_packets")) {
    limit.packets = section.integer("queue_packets", std::uint64_t{1}, most_queued);
  } else {
    limit.bytes = section.integer("queue_bytes", std::uint64_t{1}, most_queued);
  }
  return limit;
}

queues::QueueParameters parse_queue(const Section& section, std::uint64_t seed) {
  queues::QueueParameters queue;
  queue.discipline = parse_discipline(section);
  queue.limit = parse_limit(section);
  queue.random_loss = section.fraction_or_0("random_loss");
  queue.seed = seed;
  return queue;
}

AccessConfig parse_access(const json& object, const std::string& place) {
  const Section section(object, place, {"rate_bps", "queue_packets", "delay_ns", "loss"});
  AccessConfig access;
  access.rate_bps = section.integer_or("rate_bps", access.rate_bps, most_bps);
  if (access.rate_bps > 0) {
    access.queue_packets =
        section.integer("queue_packets", std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max());
  } else if (section.has("queue_packets")) {
    throw UserError(section.name("queue_packets") + " needs a rate_bps; without one nothing is queued");
  }
  access.delay_ns = section.integer_or("delay_ns", access.delay_ns, queues::day_ns);
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
  client.delay_down_ns = section.integer("delay_down_ns", std::int64_t{0}, queues::day_ns);
  client.delay_up_ns = section.integer("delay_up_ns", std::int64_t{0}, queues::day_ns);
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
      throw UserError("clients: the name " + clients.back().name + " is a duplicate");
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
  config.rate_bps = section.integer_or("rate_bps", config.rate_bps, most_bps);
  config.overhead_bytes = section.integer_or("overhead_bytes", config.overhead_bytes, std::uint32_t{65535});
  config.seed = section.integer_or("seed", config.seed, std::numeric_limits<std::uint64_t>::max());
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
    throw UserError(path + ": not valid JSON: " + error.what());
  } catch (const UserError& error) {
    throw UserError(path + ": " + error.what());
  }
}

}  // namespace embedded
