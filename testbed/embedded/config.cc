// Checks and reads the configuration described in config.h; every message names the key.
#include "config.h"

#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <set>
#include <string_view>

#include "errors.h"
#include "queues/catalogue.h"

namespace embedded {
namespace {

using nlohmann::json;

constexpr std::uint64_t day_ns = 86'400'000'000'000;
constexpr std::uint64_t most_clients = 255;  // the log's client column has one byte

// One JSON object with the place it has in the file, for messages.
class Section {
 public:
  Section(const json& object, std::string place, std::initializer_list<std::string_view> known)
      : object_(object), place_(std::move(place)) {
    if (!object.is_object()) {
      throw UserError((place_.empty() ? "the document" : place_) + " must be an object");
    }
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        throw UserError("unknown key " + name(key));
      }
    }
  }

  bool has(const std::string& key) const { return object_.contains(key); }

  const json& value(const std::string& key) const {
    if (!has(key)) {
      throw UserError("missing key " + name(key));
    }
    return object_.at(key);
  }

  std::uint64_t integer(const std::string& key, std::uint64_t least, std::uint64_t most) const {
    const json& found = value(key);
    if (!found.is_number_unsigned() || found.get<std::uint64_t>() < least ||
        found.get<std::uint64_t>() > most) {
      throw UserError(name(key) + " must be an integer from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", not " + found.dump());
    }
    return found.get<std::uint64_t>();
  }

  std::uint64_t integer_or(const std::string& key, std::uint64_t otherwise, std::uint64_t most) const {
    return has(key) ? integer(key, 0, most) : otherwise;
  }

  std::string text(const std::string& key) const {
    const json& found = value(key);
    if (!found.is_string() || found.get_ref<const std::string&>().empty()) {
      throw UserError(name(key) + " must be a non-empty string, not " + found.dump());
    }
    return found.get<std::string>();
  }

  std::optional<std::string> optional_text(const std::string& key) const {
    return has(key) ? std::optional(text(key)) : std::nullopt;
  }

  std::string name(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

 private:
  const json& object_;
  std::string place_;
};

ClientConfig parse_client(const json& object, std::size_t number) {
  const Section section(
      object, "clients[" + std::to_string(number) + "]",
      {"name", "client_netns", "service_netns", "interface", "delay_down_ns", "delay_up_ns"});
  ClientConfig client;
  client.name = section.text("name");
  client.client_netns = section.text("client_netns");
  client.service_netns = section.text("service_netns");
  client.interface = section.text("interface");
  if (client.interface.size() >= IFNAMSIZ) {
    throw UserError(section.name("interface") + " must have at most 15 characters");
  }
  client.delay_down_ns = static_cast<std::int64_t>(section.integer("delay_down_ns", 0, day_ns));
  client.delay_up_ns = static_cast<std::int64_t>(section.integer("delay_up_ns", 0, day_ns));
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
                        {"rate_bps", "overhead_bytes", "discipline", "queue_packets", "seed", "clients",
                         "queue_log", "flows", "report"});
  Config config;
  config.rate_bps = section.integer_or("rate_bps", 0, 1'000'000'000'000);
  config.overhead_bytes = static_cast<std::uint32_t>(section.integer_or("overhead_bytes", 24, 65535));
  config.discipline = section.text("discipline");
  config.queue_packets = section.integer("queue_packets", 1, std::numeric_limits<std::uint32_t>::max());
  if (!queues::make_discipline(config.discipline, config.queue_packets)) {
    throw UserError("discipline: there is none of the name " + config.discipline);
  }
  config.seed = section.integer_or("seed", 0, std::numeric_limits<std::uint64_t>::max());
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

nlohmann::ordered_json parameters(const Config& config) {
  nlohmann::ordered_json clients = nlohmann::ordered_json::array();
  for (const ClientConfig& client : config.clients) {
    clients.push_back({{"name", client.name},
                       {"delay_down_ns", client.delay_down_ns},
                       {"delay_up_ns", client.delay_up_ns}});
  }
  return {{"rate_bps", config.rate_bps},
          {"overhead_bytes", config.overhead_bytes},
          {"discipline", config.discipline},
          {"queue_packets", config.queue_packets},
          {"seed", config.seed},
          {"clients", clients}};
}

}  // namespace embedded
