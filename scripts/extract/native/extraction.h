// One pass over a capture: its packets as columns, their flows and directions, and counts of anomalies.
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
  std::uint64_t cut_headers = 0;   // a header or the TCP options reach beyond the captured bytes
  std::uint64_t time_jumps = 0;    // more than 1 ms back or 1 h forward between two packets
  std::uint64_t zero_length = 0;   // packets without a captured byte
  std::uint64_t unnumbered = 0;    // packets of flows beyond FlowTable::most_flows
  std::int64_t first_ns = 0;       // the earliest and the latest time; 0 without packets
  std::int64_t last_ns = 0;
};

class Extraction {
 public:
  // Reads the capture of client `owner`. New flows get the next numbers in `flows`.
  Extraction(std::unique_ptr<ByteSource> source, ClientSide side, FlowTable& flows, std::uint16_t owner)
      : reader_(std::move(source)), side_(std::move(side)), flows_(flows), owner_(owner) {}

  // The next `capacity` packets; fewer at the end of the capture, null after the last packet.
  std::unique_ptr<PacketColumns> next(std::size_t capacity);

  const Counts& counts() const { return counts_; }

  // Valid after the last packet.
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

// The source Ethernet address of the first packet from one of the side's IP addresses, if there is one.
std::optional<ClientSide::EthernetAddress> learn_ethernet(std::unique_ptr<ByteSource> source, const ClientSide& side);

}  // namespace capture
