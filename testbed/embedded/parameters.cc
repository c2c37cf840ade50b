// Every parameter in effect, given or default, as report and log state it.
#include "config.h"
#include "discipline_options.h"

namespace embedded {
namespace {

using nlohmann::ordered_json;

ordered_json client_parameters(const ClientConfig& client) {
  ordered_json object = {{"name", client.name},
                         {"delay_down_ns", client.delay_down_ns},
                         {"delay_up_ns", client.delay_up_ns}};
  if (const auto& access = client.access) {
    ordered_json access_object = {{"rate_bps", access->rate_bps}};
    if (access->rate_bps > 0) {
      access_object["queue_packets"] = access->queue_packets;
    }
    access_object["delay_ns"] = access->delay_ns;
    access_object["loss"] = access->loss;
    object["access"] = access_object;
  }
  return object;
}

}  // namespace

ordered_json parameters(const Config& config) {
  const queues::QueueParameters& queue = config.queue;
  ordered_json object = {{"rate_bps", config.rate_bps},
                         {"overhead_bytes", config.overhead_bytes},
                         {"discipline", queue.discipline->name()},
                         {"discipline_options", options_json(queue.discipline->options())}};
  if (queue.limit.packets != queues::Limit::none) {
    object["queue_packets"] = queue.limit.packets;
  } else {
    object["queue_bytes"] = queue.limit.bytes;
  }
  object["random_loss"] = queue.random_loss;
  object["seed"] = config.seed;
  object["clients"] = ordered_json::array();
  for (const ClientConfig& client : config.clients) {
    object["clients"].push_back(client_parameters(client));
  }
  return object;
}

}  // namespace embedded
