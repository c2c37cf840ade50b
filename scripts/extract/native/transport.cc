#include "transport.h"

#include <algorithm>

#include "byte_order.h"

namespace capture {
namespace {

constexpr std::size_t tcp_fixed_bytes = 20;
constexpr std::size_t udp_bytes = 8;

enum Option : std::uint8_t { end_of_options = 0, no_operation = 1, window_scale = 3, sack = 5, timestamps = 8 };

void read_option(Bytes option, Headers& headers) {
  const std::size_t size = option.size();
  if (option[0] == timestamps && size == 10) {
    headers.timestamp = big_32(option.data() + 2);
    headers.timestamp_echo = big_32(option.data() + 6);
    headers.known |= known_timestamps;
  } else if (option[0] == window_scale && size == 3) {
    headers.window_scale = option[2];
    headers.known |= known_window_scale;
  } else if (option[0] == sack && size >= 10 && size % 8 == 2) {
    headers.sack_count = static_cast<std::uint8_t>(std::min((size - 2) / 8, headers.sack.size()));
    for (std::size_t number = 0; number < headers.sack_count; ++number) {
      const std::uint8_t* at = option.data() + 2 + 8 * number;
      headers.sack[number] = {big_32(at), big_32(at + 4)};
    }
    headers.known |= known_sack;
  }
}

void read_options(Bytes options, Headers& headers) {
  // Linux sends timestamps alone in this layout (RFC 7323, appendix A). It is read first for speed.
  if (options.size() == 12 && big_32(options.data()) == 0x0101080A) {
    read_option(options.subspan(2), headers);
    return;
  }
  while (!options.empty() && options[0] != end_of_options) {
    if (options[0] == no_operation) {
      options = options.subspan(1);
      continue;
    }
    if (options.size() < 2 || options[1] < 2 || options[1] > options.size()) {
      return;
    }
    const std::size_t size = options[1];
    read_option(options.first(size), headers);
    options = options.subspan(size);
  }
}

void know_payload(std::int64_t bytes, Headers& headers) {
  if (bytes >= 0) {
    headers.payload_bytes = static_cast<std::uint32_t>(bytes);
    headers.known |= known_payload;
  }
}

void read_tcp(Bytes segment, std::int64_t room, Headers& headers) {
  const std::uint8_t* at = segment.data();
  headers.seq = big_32(at + 4);
  headers.ack = big_32(at + 8);
  headers.flags = big_16(at + 12) & 0x0FFF;  // with the reserved bits, as in Wireshark
  headers.window = big_16(at + 14);
  headers.known |= known_ports | known_tcp;
  const std::size_t size = std::size_t{4} * (at[12] >> 4);
  headers.kept = headers.transport + static_cast<std::uint32_t>(std::max(size, tcp_fixed_bytes));
  if (size < tcp_fixed_bytes) {
    return;
  }
  headers.tcp_header_bytes = static_cast<std::uint8_t>(size);
  headers.known |= known_tcp_header;
  know_payload(room - static_cast<std::int64_t>(size), headers);
  if (size > segment.size()) {
    headers.known |= is_cut;
  }
  read_options(segment.first(std::min(size, segment.size())).subspan(tcp_fixed_bytes), headers);
}

// Reads the first payload byte of QUIC: RFC 9000, 17.2 and 17.3.
void read_quic(Bytes payload, Headers& headers) {
  constexpr std::uint8_t header_form = 0x80;
  constexpr std::uint8_t fixed_bit = 0x40;
  if (!payload.empty() && headers.has(known_payload) && headers.payload_bytes > 0 && payload[0] & fixed_bit) {
    headers.quic_long = (payload[0] & header_form) != 0;
    headers.known |= known_quic;
  }
}

}  // namespace

void read_transport(Bytes segment, std::int64_t room, Headers& headers) {
  const bool is_tcp = headers.protocol == tcp;
  if (!is_tcp && headers.protocol != udp) {
    return;
  }
  if (segment.size() < (is_tcp ? tcp_fixed_bytes : udp_bytes)) {
    headers.known |= is_cut;
    return;
  }
  headers.source_port = big_16(segment.data());
  headers.destination_port = big_16(segment.data() + 2);
  if (is_tcp) {
    read_tcp(segment, room, headers);
    return;
  }
  headers.known |= known_ports;
  headers.kept = headers.transport + udp_bytes;
  know_payload(room - static_cast<std::int64_t>(udp_bytes), headers);
  read_quic(segment.subspan(udp_bytes), headers);
}

}  // namespace capture
