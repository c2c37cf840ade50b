// Totals of each flow: counts, times, and for TCP the kinds of its segments.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns.h"
#include "connection.h"
#include "flow_table.h"
#include "timestamp_rtt.h"

namespace capture {

// Packets in one direction.
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
  WayTotals down;  // from the flow's source, which is the service's end
  WayTotals up;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  std::unique_ptr<TcpState> tcp;
};

class FlowAnalysis {
 public:
  // `flows` numbers the flows of the packets.
  explicit FlowAnalysis(const FlowTable& flows) : flows_(flows) {}

  // Adds the next packets, in the order of their capture.
  void add(const PacketColumns& packets);

  // One element for each flow.
  const std::vector<FlowTotals>& totals() const { return totals_; }

 private:
  void add_segment(FlowTotals& totals, bool down, const Segment& segment);

  const FlowTable& flows_;
  std::vector<FlowTotals> totals_;
};

}  // namespace capture
