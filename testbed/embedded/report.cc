// Builds the JSON documents of report.h and writes files atomically.
#include "report.h"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "errors.h"

namespace embedded {
namespace {

using nlohmann::ordered_json;

void add_counters(ordered_json& object, const ClientCounters& counters) {
  const auto add = [&object](const std::string& name, const Tally& tally) {
    object[name + "_packets"] = tally.packets;
    object[name + "_bytes"] = tally.bytes;
  };
  add("lost_before", counters.lost_before);
  add("arrived", counters.arrived);
  add("forwarded", counters.forwarded);
  add("dropped", counters.dropped);
  add("left", counters.left);
}

ClientCounters total(const std::vector<ClientCounters>& clients) {
  ClientCounters sum;
  for (const ClientCounters& client : clients) {
    sum.lost_before.add(client.lost_before);
    sum.arrived.add(client.arrived);
    sum.forwarded.add(client.forwarded);
    sum.dropped.add(client.dropped);
    sum.left.add(client.left);
  }
  return sum;
}

ordered_json downlink(const Config& config, const std::vector<ClientCounters>& counters) {
  ordered_json clients = ordered_json::array();
  for (std::size_t client = 0; client < counters.size(); ++client) {
    clients.push_back({{"name", config.clients[client].name}});
    add_counters(clients.back(), counters[client]);
  }
  ordered_json object;
  add_counters(object, total(counters));
  object["clients"] = clients;
  return object;
}

ordered_json uplink(const Config& config, const std::vector<ClientCounters>& counters) {
  ordered_json clients = ordered_json::array();
  for (std::size_t client = 0; client < counters.size(); ++client) {
    const auto& [arrived, forwarded, left] = counters[client].uplink;
    clients.push_back({{"name", config.clients[client].name},
                       {"packets", forwarded.packets},
                       {"bytes", forwarded.bytes},
                       {"arrived_packets", arrived.packets},
                       {"arrived_bytes", arrived.bytes},
                       {"left_packets", left.packets},
                       {"left_bytes", left.bytes}});
  }
  return {{"clients", clients}};
}

ordered_json percentiles(const Histogram& histogram) {
  return {{"p50", histogram.percentile(0.50)},
          {"p99", histogram.percentile(0.99)},
          {"max", histogram.max()},
          {"count", histogram.count()}};
}

}  // namespace

ordered_json lateness_json(const Lateness& lateness, std::int64_t epoch_offset_ns) {
  ordered_json object = percentiles(lateness.deliveries());
  object["start_ns"] = lateness.start_ns() + epoch_offset_ns;
  object["by_second"] = lateness.by_second();
  return object;
}

ordered_json report_json(const Config& config, const RunFacts& facts) {
  return {{"version", SWITCH_VERSION},
          {"parameters", parameters(config)},
          {"downlink", downlink(config, facts.counters)},
          {"uplink", uplink(config, facts.counters)},
          {"write_errors", facts.write_errors},
          {"lateness_ns", lateness_json(facts.lateness, facts.epoch_offset_start_ns)},
          {"earliness_ns", percentiles(facts.earliness)},
          {"log", {{"records", facts.log_records}, {"lost", facts.log_lost}}},
          {"clock_offset_ns", {{"start", facts.epoch_offset_start_ns}, {"end", facts.epoch_offset_end_ns}}},
          {"realtime", facts.realtime},
          {"cpu_ns", facts.cpu_ns}};
}

ordered_json flows_json(const Config& config, const std::vector<Flow>& flows) {
  ordered_json list = ordered_json::array();
  for (const auto& [tuple, client] : flows) {
    list.push_back({{"client", config.clients[client].name},
                    {"protocol", tuple.protocol},
                    {"source", address_text(tuple.source, tuple.ip_version)},
                    {"source_port", tuple.source_port},
                    {"destination", address_text(tuple.destination, tuple.ip_version)},
                    {"destination_port", tuple.destination_port}});
  }
  return list;
}

void write_atomically(const std::string& path, const ordered_json& document) {
  const std::string unfinished = path + ".tmp";
  std::ofstream file(unfinished);
  file << document.dump(1) << '\n';
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    throw std::runtime_error(system_message("cannot write " + path, errno));
  }
}

}  // namespace embedded
