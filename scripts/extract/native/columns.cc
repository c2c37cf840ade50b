#include "columns.h"

#include <algorithm>

namespace capture {
namespace {

// The memory of all arrays together.
std::size_t bytes_for(std::size_t capacity) {
  std::size_t sum = Block::bytes_of<std::uint32_t>(capacity) + Block::bytes_of<std::int32_t>(capacity + 1);
  PacketArrays none;
  PacketArrays::each(none, [&]<typename T>(const char*, T*&) { sum += Block::bytes_of<T>(capacity); });
  return sum;
}

}  // namespace

PacketColumns::PacketColumns(std::size_t capacity_) : capacity(capacity_), memory_(bytes_for(capacity_)) {
  known = memory_.take<std::uint32_t>(capacity);
  tcp_sack_end = memory_.take<std::int32_t>(capacity + 1);
  each(*this, [this]<typename T>(const char*, T*& array) { array = memory_.take<T>(capacity); });
  tcp_sack_end[0] = 0;
  tcp_sack.reserve(capacity / 8 + 2);  // Arrow rejects an empty array without memory
}

void PacketColumns::append(const Record& record, const Headers& headers, Direction way, std::uint32_t flow_number) {
  const std::size_t row = size++;
  known[row] = headers.known;
  time_ns[row] = record.time_ns;
  direction[row] = static_cast<std::int8_t>(way);
  flow[row] = static_cast<std::int32_t>(flow_number);
  protocol[row] = headers.protocol;
  source_port[row] = headers.source_port;
  destination_port[row] = headers.destination_port;
  frame_bytes[row] = static_cast<std::int32_t>(record.original);
  ip_bytes[row] = static_cast<std::int32_t>(headers.ip_bytes);
  payload_bytes[row] = static_cast<std::int32_t>(headers.payload_bytes);
  tcp_seq[row] = headers.seq;
  tcp_ack[row] = headers.ack;
  tcp_flags[row] = static_cast<std::int16_t>(headers.flags);
  ip_version[row] = static_cast<std::int8_t>(headers.ip_version);
  ip_id[row] = headers.ip_id;
  ip_ttl[row] = headers.ttl;
  ip_tos[row] = headers.tos;
  fragment_offset[row] = static_cast<std::int32_t>(headers.fragment_offset);
  vlan[row] = static_cast<std::int16_t>(headers.vlan);
  tcp_window[row] = headers.window;
  tcp_header_bytes[row] = headers.tcp_header_bytes;
  tcp_window_scale[row] = headers.window_scale;
  tcp_timestamp[row] = headers.timestamp;
  tcp_timestamp_echo[row] = headers.timestamp_echo;
  quic_header[row] = headers.quic_long ? 0 : 1;
  for (std::size_t block = 0; block < headers.sack_count; ++block) {
    tcp_sack.push_back(headers.sack[block].left);
    tcp_sack.push_back(headers.sack[block].right);
  }
  tcp_sack_end[row + 1] = static_cast<std::int32_t>(tcp_sack.size());
  known[row] |= (way == Direction::unknown ? 0 : known_direction) | (flow_number < 0x8000'0000u ? known_flow : 0);
}

std::vector<std::uint8_t> PacketColumns::bits(std::uint32_t wanted) const {
  std::vector<std::uint8_t> packed((size + 7) / 8);
  for (std::size_t begin = 0; begin < size; begin += 8) {
    std::uint8_t byte = 0;
    for (std::size_t row = begin; row < std::min(begin + 8, size); ++row) {
      byte |= static_cast<std::uint8_t>(((known[row] & wanted) == wanted) << (row - begin));
    }
    packed[begin / 8] = byte;
  }
  return packed;
}

bool PacketColumns::all(std::uint32_t wanted) const {
  std::uint32_t common = wanted;
  for (std::size_t row = 0; row < size; ++row) {
    common &= known[row];
  }
  return common == wanted;
}

}  // namespace capture
