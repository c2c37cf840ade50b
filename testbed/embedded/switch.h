// The event loop that connects the TAPs and the clock with the topology in virtual time (dumbbell.h).
// It sleeps until a frame arrives, a delivery is due or a stop signal arrives. It never spins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer_pool.h"
#include "dumbbell.h"
#include "flow_table.h"
#include "histogram.h"
#include "lateness.h"
#include "queue_log.h"
#include "readiness.h"
#include "signals.h"
#include "tap.h"
#include "timer.h"

namespace embedded {

// The TAPs of one client's path.
struct ClientTaps {
  Tap client;
  Tap service;
};

class Switch {
 public:
  // `log` may be null. The log's times are those of the switch's clock plus `epoch_offset_ns`.
  Switch(const Config& config, std::vector<ClientTaps> taps, StopSignals& stop, QueueLog* log,
         std::int64_t epoch_offset_ns);

  // Forwards frames until a stop signal, then stops reading and drains for at most 10 s. Throws if the log
  // cannot be written or a TAP is gone.
  void run();

  const std::vector<ClientCounters>& counters() const { return dumbbell_.counters(); }
  const std::vector<Flow>& flows() const { return flows_.flows(); }
  // How late each delivery was made, how early, and the stalls. A delivery is never both late and early.
  const Lateness& lateness() const { return lateness_; }
  const Histogram& earliness() const { return earliness_; }
  std::uint64_t write_errors() const { return write_errors_; }

 private:
  std::span<const epoll_event> wait();
  void look(std::int64_t now_ns);
  void handle(std::span<const epoll_event> ready);
  void begin_to_drain();
  void read_service(std::uint16_t client);
  void read_client(std::uint16_t client);
  void process(std::span<const queues::Outcome> outcomes);
  void deliver();
  bool finished(std::int64_t now_ns) const;

  std::vector<ClientTaps> taps_;
  StopSignals& stop_;
  QueueLog* log_;
  std::int64_t epoch_offset_ns_;
  std::uint64_t salt_;  // of the hashes of flows
  Dumbbell dumbbell_;
  BufferPool pool_{8192};
  FlowTable flows_;
  Lateness lateness_;
  Histogram earliness_;
  std::uint64_t write_errors_ = 0;
  Timer timer_;
  Readiness readiness_;
  std::int64_t next_look_ns_ = 0;
  bool draining_ = false;
  std::int64_t drain_until_ns_ = DelayLine::never;
};

}  // namespace embedded
