// What ran, as report and log state it: every parameter in effect, whether given or assumed.
#include "config.h"

namespace embedded {
namespace {

using nlohmann::ordered_json;

ordered_json discipline_options(const queues::QueueParameters& queue) {
  ordered_json options = ordered_json::object();
  if (queue.discipline != "droptail") {
    const queues::CodelParameters& codel = queue.fq_codel.codel;
    options = {{"target_ns", codel.target_ns}, {"interval_ns", codel.interval_ns}, {"ecn", codel.ecn}};
  }
  if (queue.discipline == "fq_codel") {
    options["queues"] = queue.fq_codel.queues;
    options["quantum_bytes"] = queue.fq_codel.quantum_bytes;
  }
  return options;
}

ordered_json client_parameters(const ClientConfig& client) {
  ordered_json stated = {{"name", client.name},
                                   {"delay_down_ns", client.delay_down_ns},
                                   {"delay_up_ns", client.delay_up_ns}};
  if (const auto& access = client.access) {
    ordered_json passed = {{"rate_bps", access->rate_bps}};
    if (access->rate_bps > 0) {
      passed["queue_packets"] = access->queue_packets;
    }
    passed["delay_ns"] = access->delay_ns;
    passed["loss"] = access->loss;
    stated["access"] = passed;
  }
  return stated;
}

}  // namespace

ordered_json parameters(const Config& config) {
  const queues::QueueParameters& queue = config.queue;
  ordered_json stated = {{"rate_bps", config.rate_bps},
                                   {"overhead_bytes", config.overhead_bytes},
                                   {"discipline", queue.discipline},
                                   {"discipline_options", discipline_options(queue)}};
  if (queue.limit.packets != queues::Limit::none) {
    stated["queue_packets"] = queue.limit.packets;
  } else {
    stated["queue_bytes"] = queue.limit.bytes;
  }
  stated["random_loss"] = queue.random_loss;
  stated["seed"] = config.seed;
  stated["clients"] = ordered_json::array();
  for (const ClientConfig& client : config.clients) {
    stated["clients"].push_back(client_parameters(client));
  }
  return stated;
}

}  // namespace embedded
