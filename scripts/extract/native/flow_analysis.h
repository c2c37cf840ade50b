// What the packets of each flow amount to: counts, times, and for TCP what its segments are.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns.h"
#include "connection.h"
#include "flow_table.h"
#include "timestamp_rtt.h"

namespace capture {

// Packets that go one way.
struct WayTotals {
  std::int64_t packets = 0;
  std::int64_t ip_bytes = 0;
  std::int64_t retransmissions = 0;
  std::int64_t out_of_order = 0;
  std::int64_t duplicate_acks = 0;
  std::int64_t most_bytes_in_flight = 0;
};

struct TcpState {
  Connection connection;
  TimestampRtt rtt;
};

struct FlowTotals {
  WayTotals down;  // from the flow's source, the service's end
  WayTotals up;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  std::unique_ptr<TcpState> tcp;
};

class FlowAnalysis {
 public:
  // `flows` numbers the flows of the packets to come.
  explicit FlowAnalysis(const FlowTable& flows) : flows_(flows) {}

  // The next packets, in the order of their capture.
  void add(const PacketColumns& packets);

  // One element a flow.
  const std::vector<FlowTotals>& totals() const { return totals_; }

 private:
  void add_segment(FlowTotals& totals, bool down, const Segment& segment);

  const FlowTable& flows_;
  std::vector<FlowTotals> totals_;
};

}  // namespace capture
