// observatory-flows: TCP flows of given sizes at given times, each over a connection of its own.
// Exit status: 0 success; 1 failure; 2 an error that the user can correct.
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "client.h"
#include "errors.h"
#include "host.h"
#include "schedule.h"
#include "server.h"
#include "signals.h"
#include "sockets.h"

namespace {

using embedded::UserError;

constexpr const char* usage =
    "usage: observatory-flows serve ADDRESS PORT LOG\n"
    "       observatory-flows use ADDRESS PORT SCHEDULE RESULT\n"
    "       observatory-flows --help | --version\n"
    "\n"
    "serve sends each connection the bytes that it requests, until it is killed. LOG gets the number and the\n"
    "retransmitted segments of every flow.\n"
    "use starts the flows of SCHEDULE (services/flows/schedule.h) and writes when each was started, connected,\n"
    "and got its first and last data to RESULT, as JSON. It ends with its last flow, or on SIGTERM or SIGINT.\n";

void use(const sockaddr_in& server, const std::string& schedule_path, const std::string& result_path) {
  embedded::StopSignals stop;
  const flows::Schedule schedule = flows::load_schedule(schedule_path);
  flows::Client client(schedule, server, stop);
  client.run();
  std::ofstream result(result_path);
  result << client.results() << std::flush;
  if (!result) {
    throw UserError(result_path + ": cannot be written");
  }
}

int run(const std::vector<std::string>& arguments) {
  const std::string mode = arguments.empty() ? "" : arguments[0];
  if (mode == "--help") {
    std::cout << usage;
  } else if (mode == "--version") {
    std::cout << "observatory-flows " FLOWS_VERSION "\n";
  } else if (mode == "serve" && arguments.size() == 4) {
    flows::Server(flows::endpoint(arguments[1], arguments[2]), arguments[3]).run();
  } else if (mode == "use" && arguments.size() == 5) {
    use(flows::endpoint(arguments[1], arguments[2]), arguments[3], arguments[4]);
  } else {
    throw UserError("expected serve or use with its arguments; see --help");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    embedded::die_with_parent();
    flows::allow_many_files();
    return run({argv + 1, argv + argc});
  } catch (const UserError& error) {
    std::cerr << "observatory-flows: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "observatory-flows: " << error.what() << '\n';
    return 1;
  }
}
