// Replays arrivals through a queue discipline and a link in virtual time, and prints what became of every
// packet, so that a test can compare it with a second implementation (replayed.py).
// Standard input: a line of JSON with discipline, discipline_options, queue_packets or queue_bytes, seed and
// rate_bps; then a line for each arrival, in order of time: ns, hash of the flow, frame bytes, 1 if ECN-capable.
// Standard output: a line for each outcome, in order: number of the arrival from 0, verdict (packet.h), when it
// left the queue and when it was dropped (ns; 0 if it did not).
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "discipline_options.h"
#include "queues/bottleneck.h"
#include "queues/catalogue.h"

namespace {

constexpr std::uint32_t overhead_bytes = 24;

queues::Bottleneck bottleneck_of(const nlohmann::json& setting) {
  queues::QueueParameters queue;
  queue.discipline = queues::find_discipline(setting.at("discipline").get<std::string>());
  embedded::read_options(setting.at("discipline_options"), "discipline_options", queue.discipline->options());
  queue.limit.packets = setting.value("queue_packets", queues::Limit::none);
  queue.limit.bytes = setting.value("queue_bytes", queues::Limit::none);
  queue.seed = setting.at("seed").get<std::uint64_t>();
  const queues::Link link(setting.at("rate_bps").get<std::uint64_t>(), overhead_bytes);
  return {link, queues::make_queue(queue)};
}

void print(std::span<const queues::Outcome> outcomes) {
  for (const queues::Outcome& outcome : outcomes) {
    std::cout << outcome.packet.handle << ' ' << static_cast<int>(outcome.verdict) << ' '
              << outcome.departure_ns << ' ' << outcome.dropped_ns << '\n';
  }
}

}  // namespace

int main() {
  std::string setting;
  std::getline(std::cin, setting);
  queues::Bottleneck bottleneck = bottleneck_of(nlohmann::json::parse(setting));
  queues::Packet packet;
  std::int64_t now_ns = 0;
  while (std::cin >> now_ns >> packet.flow_hash >> packet.frame_bytes >> packet.ecn_capable) {
    print(bottleneck.arrive(packet, now_ns));
    ++packet.handle;
  }
  print(bottleneck.advance(std::numeric_limits<std::int64_t>::max()));
}
