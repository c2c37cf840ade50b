// observatory-switch: the embedded bottleneck. Reads its configuration, attaches to the TAPs, forwards frames
// until SIGTERM or SIGINT, and writes the queue log, the flows and the report.
// Exit status: 0 success; 1 failure (a file cannot be written, a TAP is gone); 2 an error that the user can
// correct.
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"
#include "config.h"
#include "discipline_options.h"
#include "errors.h"
#include "host.h"
#include "report.h"
#include "switch.h"

namespace {

using namespace embedded;

constexpr const char* usage =
    "usage: observatory-switch CONFIG.json\n"
    "       observatory-switch --disciplines | --help | --version\n"
    "\n"
    "Forwards the traffic of one or more clients between pairs of TAP devices. All downlinks share one rate\n"
    "limiter and queue; each direction has a fixed delay. The switch prints `ready` once it is attached.\n"
    "On SIGTERM or SIGINT it drains its queues, writes its report and ends.\n"
    "testbed/embedded/config.h lists the configuration keys. --disciplines prints the queue disciplines\n"
    "and their options as JSON.\n";

std::vector<ClientTaps> attach(const Config& config) {
  std::vector<ClientTaps> taps;
  for (const ClientConfig& client : config.clients) {
    taps.push_back({Tap(client.client_netns, client.interface), Tap(client.service_netns, client.interface)});
  }
  return taps;
}

void write_results(const Config& config, const Switch& finished, RunFacts facts) {
  facts.counters = finished.counters();
  facts.write_errors = finished.write_errors();
  facts.lateness = finished.lateness();
  facts.earliness = finished.earliness();
  facts.epoch_offset_end_ns = epoch_offset_ns();
  facts.cpu_ns = cpu_ns();
  if (config.flows) {
    write_atomically(*config.flows, flows_json(config, finished.flows()));
  }
  write_atomically(config.report, report_json(config, facts));
}

void forward(const Config& config) {
  die_with_parent();
  StopSignals stop;
  RunFacts facts;
  facts.epoch_offset_start_ns = epoch_offset_ns();
  std::unique_ptr<QueueLog> log;
  if (config.queue_log) {
    log = std::make_unique<QueueLog>(*config.queue_log, parameters(config));
  }
  Switch forwarder(config, attach(config), stop, log.get(), facts.epoch_offset_start_ns);
  facts.realtime = request_realtime();
  std::cout << "ready" << std::endl;
  forwarder.run();
  if (log) {
    log->close();
    facts.log_records = log->records();
    facts.log_lost = log->lost();
  }
  write_results(config, forwarder, facts);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) {
    throw UserError("expected one argument, the configuration file; see --help");
  }
  if (arguments[0] == "--help") {
    std::cout << usage;
  } else if (arguments[0] == "--disciplines") {
    std::cout << catalogue_json(queues::catalogue()).dump(1) << '\n';
  } else if (arguments[0] == "--version") {
    std::cout << "observatory-switch " SWITCH_VERSION "\n";
  } else if (arguments[0].starts_with("-")) {
    throw UserError("unknown option " + arguments[0] + "; see --help");
  } else {
    forward(load_config(arguments[0]));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const UserError& error) {
    std::cerr << "observatory-switch: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "observatory-switch: " << error.what() << '\n';
    return 1;
  }
}
