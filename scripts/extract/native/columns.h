// Packets as arrays, one for each field, as Parquet and the analyses read them.
// A value is valid only if its bit in `known` is set.
#pragma once

#include <cstdint>
#include <vector>

#include "block.h"
#include "client_side.h"
#include "headers.h"

namespace capture {

struct PacketArrays {
  // Calls visit(name, array) for each array that has one value for each packet.
  template <typename Arrays, typename Visit>
  static void each(Arrays& arrays, const Visit& visit);

  std::uint32_t* known = nullptr;  // the bits in headers.h
  std::int64_t* time_ns = nullptr;
  std::int8_t* direction = nullptr;  // 0 down, 1 up
  std::int32_t* flow = nullptr;
  std::int16_t* protocol = nullptr;
  std::int32_t* source_port = nullptr;
  std::int32_t* destination_port = nullptr;
  std::int32_t* frame_bytes = nullptr;
  std::int32_t* ip_bytes = nullptr;
  std::int32_t* payload_bytes = nullptr;
  std::int64_t* tcp_seq = nullptr;
  std::int64_t* tcp_ack = nullptr;
  std::int16_t* tcp_flags = nullptr;
  std::int8_t* ip_version = nullptr;
  std::int64_t* ip_id = nullptr;
  std::int16_t* ip_ttl = nullptr;
  std::int16_t* ip_tos = nullptr;
  std::int32_t* fragment_offset = nullptr;
  std::int16_t* vlan = nullptr;
  std::int32_t* tcp_window = nullptr;
  std::int16_t* tcp_header_bytes = nullptr;
  std::int16_t* tcp_window_scale = nullptr;
  std::int64_t* tcp_timestamp = nullptr;
  std::int64_t* tcp_timestamp_echo = nullptr;
  std::int32_t* tcp_sack_end = nullptr;  // packets + 1 values: the start of each packet's part of tcp_sack
  std::int8_t* quic_header = nullptr;  // 0 long, 1 short
};

struct PacketColumns : PacketArrays {
  explicit PacketColumns(std::size_t capacity);

  // Adds a packet. The columns must not be full.
  void append(const Record& record, const Headers& headers, Direction direction, std::uint32_t flow);

  bool full() const { return size == capacity; }

  // One bit for each packet, the lowest first: whether its `known` has all bits of `wanted`.
  std::vector<std::uint8_t> bits(std::uint32_t wanted) const;

  // Whether the `known` of every packet has all bits of `wanted`.
  bool all(std::uint32_t wanted) const;

  std::size_t capacity;
  std::size_t size = 0;
  std::vector<std::int64_t> tcp_sack;

 private:
  Block memory_;  // holds all arrays
};

template <typename Arrays, typename Visit>
void PacketArrays::each(Arrays& arrays, const Visit& visit) {
  visit("time_ns", arrays.time_ns);
  visit("direction", arrays.direction);
  visit("flow", arrays.flow);
  visit("protocol", arrays.protocol);
  visit("source_port", arrays.source_port);
  visit("destination_port", arrays.destination_port);
  visit("frame_bytes", arrays.frame_bytes);
  visit("ip_bytes", arrays.ip_bytes);
  visit("payload_bytes", arrays.payload_bytes);
  visit("tcp_seq", arrays.tcp_seq);
  visit("tcp_ack", arrays.tcp_ack);
  visit("tcp_flags", arrays.tcp_flags);
  visit("ip_version", arrays.ip_version);
  visit("ip_id", arrays.ip_id);
  visit("ip_ttl", arrays.ip_ttl);
  visit("ip_tos", arrays.ip_tos);
  visit("fragment_offset", arrays.fragment_offset);
  visit("vlan", arrays.vlan);
  visit("tcp_window", arrays.tcp_window);
  visit("tcp_header_bytes", arrays.tcp_header_bytes);
  visit("tcp_window_scale", arrays.tcp_window_scale);
  visit("tcp_timestamp", arrays.tcp_timestamp);
  visit("tcp_timestamp_echo", arrays.tcp_timestamp_echo);
  visit("quic_header", arrays.quic_header);
}

}  // namespace capture
