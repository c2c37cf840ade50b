#include "extraction.h"

#include <algorithm>

namespace capture {
namespace {

// Packets may be captured slightly out of order. A clock that is set back makes a larger step.
constexpr std::int64_t back_ns = 1'000'000;
constexpr std::int64_t forward_ns = 3'600'000'000'000;

}  // namespace

std::unique_ptr<PacketColumns> Extraction::next(std::size_t capacity) {
  auto columns = std::make_unique<PacketColumns>(capacity);
  Record record;
  while (!columns->full() && reader_.next(record)) {
    const Headers headers = find_headers(record.bytes, record.link_type);
    const Direction direction = side_.direction(headers);
    const std::uint32_t flow = flows_.number(owner_, headers, direction);
    counts_.unnumbered += flow == FlowTable::none && headers.has(known_ports);
    count(record, headers);
    columns->append(record, headers, direction, flow);
  }
  return columns->size > 0 ? std::move(columns) : nullptr;
}

void Extraction::count(const Record& record, const Headers& headers) {
  const std::int64_t now = record.time_ns;
  if (counts_.packets == 0) {
    counts_.first_ns = counts_.last_ns = before_ns_ = now;
  }
  const std::int64_t step = now - before_ns_;  // no time is negative, so this cannot overflow
  ++counts_.packets;
  counts_.not_ip += !headers.has(known_ip);
  counts_.cut_headers += headers.has(is_cut);
  counts_.time_jumps += step < -back_ns || step > forward_ns;
  counts_.zero_length += record.bytes.empty();
  counts_.first_ns = std::min(counts_.first_ns, now);
  counts_.last_ns = std::max(counts_.last_ns, now);
  before_ns_ = now;
}

std::optional<ClientSide::EthernetAddress> learn_ethernet(std::unique_ptr<ByteSource> source, const ClientSide& side) {
  CaptureReader reader(std::move(source));
  Record record;
  while (reader.next(record)) {
    const Headers headers = find_headers(record.bytes, record.link_type);
    if (headers.has(known_ethernet) && side.direction(headers) == Direction::up) {
      return ethernet_source(headers);
    }
  }
  return std::nullopt;
}

}  // namespace capture
