#include "flow_analysis.h"

#include <algorithm>

namespace capture {
namespace {

bool has(const PacketColumns& packets, std::size_t row, std::uint32_t bits) {
  return (packets.known[row] & bits) == bits;
}

// Whether the packet comes from the flow's source; if no client is known, its source port decides.
bool goes_down(const PacketColumns& packets, std::size_t row, const Flow& flow) {
  return has(packets, row, known_direction) ? packets.direction[row] == 0
                                            : packets.source_port[row] == flow.source_port;
}

// Bytes in the SACK blocks above the acknowledgement. A block below it reports a duplicate (RFC 2883).
std::uint32_t sacked_bytes(const PacketColumns& packets, std::size_t row) {
  const auto ack = static_cast<std::uint32_t>(packets.tcp_ack[row]);
  const auto end = static_cast<std::size_t>(packets.tcp_sack_end[row + 1]);
  std::uint32_t bytes = 0;
  for (auto at = static_cast<std::size_t>(packets.tcp_sack_end[row]); at + 1 < end; at += 2) {
    const auto left = static_cast<std::uint32_t>(packets.tcp_sack[at]);
    const auto right = static_cast<std::uint32_t>(packets.tcp_sack[at + 1]);
    bytes += before(left, ack) ? 0 : right - left;
  }
  return bytes;
}

Segment segment_of(const PacketColumns& packets, std::size_t row) {
  Segment segment;
  segment.time_ns = packets.time_ns[row];
  segment.seq = static_cast<std::uint32_t>(packets.tcp_seq[row]);
  segment.ack = static_cast<std::uint32_t>(packets.tcp_ack[row]);
  segment.payload = static_cast<std::uint32_t>(packets.payload_bytes[row]);
  segment.window = static_cast<std::uint32_t>(packets.tcp_window[row]);
  segment.flags = static_cast<std::uint16_t>(packets.tcp_flags[row]);
  segment.sacked = has(packets, row, known_sack) ? sacked_bytes(packets, row) : 0;
  if (has(packets, row, known_timestamps)) {
    segment.timestamp = static_cast<std::uint32_t>(packets.tcp_timestamp[row]);
    segment.timestamp_echo = static_cast<std::uint32_t>(packets.tcp_timestamp_echo[row]);
  }
  return segment;
}

}  // namespace

void FlowAnalysis::add(const PacketColumns& packets) {
  totals_.resize(std::max(totals_.size(), flows_.flows().size()));
  for (std::size_t row = 0; row < packets.size; ++row) {
    if (!has(packets, row, known_flow)) {
      continue;
    }
    const auto flow = static_cast<std::size_t>(packets.flow[row]);
    const bool down = goes_down(packets, row, flows_.flows()[flow]);
    FlowTotals& totals = totals_[flow];
    WayTotals& way = down ? totals.down : totals.up;
    const bool first = totals.down.packets + totals.up.packets == 0;
    totals.first_ns = first ? packets.time_ns[row] : std::min(totals.first_ns, packets.time_ns[row]);
    totals.last_ns = first ? packets.time_ns[row] : std::max(totals.last_ns, packets.time_ns[row]);
    ++way.packets;
    way.ip_bytes += packets.ip_bytes[row];
    if (has(packets, row, known_tcp | known_payload)) {
      add_segment(totals, down, segment_of(packets, row));
    }
  }
}

void FlowAnalysis::add_segment(FlowTotals& totals, bool down, const Segment& segment) {
  if (!totals.tcp) {
    totals.tcp = std::make_unique<TcpState>();
  }
  WayTotals& way = down ? totals.down : totals.up;
  const Kind kind = totals.tcp->connection.add(down, segment);
  way.retransmissions += kind == Kind::retransmission;
  way.out_of_order += kind == Kind::out_of_order;
  way.duplicate_acks += kind == Kind::duplicate_ack;
  if (segment.payload > 0) {
    const std::int64_t in_flight = totals.tcp->connection.bytes_in_flight(down);
    way.most_bytes_in_flight = std::max(way.most_bytes_in_flight, in_flight);
  }
  if (down) {
    totals.tcp->rtt.received(segment);
  } else {
    totals.tcp->rtt.sent(segment);
  }
}

}  // namespace capture
