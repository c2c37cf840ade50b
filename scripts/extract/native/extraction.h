// One pass over a capture: its packets as columns, flows and directions, and counts of what is odd about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "capture.h"
#include "client_side.h"
#include "columns.h"
#include "flow_table.h"

namespace capture {

struct Counts {
  std::uint64_t packets = 0;
  std::uint64_t not_ip = 0;
  std::uint64_t cut_headers = 0;   // a header, or TCP options, reach beyond what was captured
  std::uint64_t time_jumps = 0;    // more than 1 ms back or 1 h forward from one packet to the next
  std::uint64_t zero_length = 0;   // packets of which no byte was captured
  std::uint64_t unnumbered = 0;    // packets of flows beyond FlowTable::most_flows
  std::int64_t first_ns = 0;       // the earliest and the latest time; 0 without packets
  std::int64_t last_ns = 0;
};

class Extraction {
 public:
  // Packets of `owner`'s capture; flows are numbered on in `flows`.
  Extraction(std::unique_ptr<ByteSource> source, ClientSide side, FlowTable& flows, std::uint16_t owner)
      : reader_(std::move(source)), side_(std::move(side)), flows_(flows), owner_(owner) {}

  // The next packets, `capacity` of them until the capture ends; null after the last.
  std::unique_ptr<PacketColumns> next(std::size_t capacity);

  const Counts& counts() const { return counts_; }

  // After the last packets.
  const End& end() const { return reader_.end(); }

  std::uint64_t consumed() const { return reader_.consumed(); }

 private:
  void count(const Record& record, const Headers& headers);

  CaptureReader reader_;
  ClientSide side_;
  FlowTable& flows_;
  std::uint16_t owner_;
  Counts counts_;
  std::int64_t before_ns_ = 0;
};

// The Ethernet address of the first packet that one of the side's own addresses sent, if any did.
std::optional<ClientSide::EthernetAddress> learn_ethernet(std::unique_ptr<ByteSource> source, const ClientSide& side);

}  // namespace capture
