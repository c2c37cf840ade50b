// The client of the flows: starts each at its time, reads it to its end, and notes what happened when.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "schedule.h"
#include "signals.h"
#include "sockets.h"
#include "timer.h"

namespace flows {

// One flow as the client sees it. Times are ns since the Unix epoch; 0 means not yet.
struct Flow {
  Socket socket;
  std::int64_t started_ns = 0;    // connect() was called
  std::int64_t connected_ns = 0;  // the connection was established
  std::int64_t first_ns = 0;      // the first data arrived
  std::int64_t last_ns = 0;       // the last data arrived
  std::uint64_t received_bytes = 0;
};

class Client {
 public:
  Client(const Schedule& schedule, const sockaddr_in& server, embedded::StopSignals& stop);

  // Runs until every flow has ended, or a signal to stop arrives. Flows that still run then keep last_ns = 0.
  // Throws std::runtime_error: the host has no more sockets, or the server sends what was not requested.
  void run();

  // When the schedule began, the times of every flow (null: not reached), the received bytes, and the number of
  // flows that broke: the connection was refused, was reset, timed out, or ended before its last byte.
  nlohmann::ordered_json results() const;

 private:
  void start_due_flows();
  void start(std::uint32_t number);
  void handle(std::uint32_t number);
  void request(std::uint32_t number);
  void receive(std::uint32_t number);
  void end(Flow& flow);
  void end_broken(Flow& flow, int error);

  const Schedule& schedule_;
  sockaddr_in server_;
  embedded::StopSignals& stop_;
  Events events_;
  embedded::Timer timer_;
  std::int64_t origin_ns_;  // CLOCK_MONOTONIC
  std::int64_t since_ns_;   // the same moment, since the Unix epoch
  std::vector<Flow> flows_;
  std::uint32_t next_ = 0;
  std::size_t ended_ = 0;
  std::size_t broken_ = 0;
};

}  // namespace flows
