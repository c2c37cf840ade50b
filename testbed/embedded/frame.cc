// The byte offsets behind frame.h; nothing is read beyond the end of a cut frame.
#include "frame.h"

#include <arpa/inet.h>

#include <algorithm>

namespace embedded {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint16_t type_ipv4 = 0x0800;
constexpr std::uint16_t type_ipv6 = 0x86DD;
constexpr std::uint16_t type_vlan = 0x8100;
constexpr std::uint16_t type_service_vlan = 0x88A8;
constexpr std::uint8_t protocol_tcp = 6;
constexpr std::uint8_t protocol_udp = 17;

std::uint16_t read_16(Bytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

std::uint32_t read_32(Bytes bytes, std::size_t at) {
  return std::uint32_t{read_16(bytes, at)} << 16 | read_16(bytes, at + 2);
}

void copy_address(Bytes from, std::array<std::uint8_t, 16>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

// Ports and sequence number; `flow` has addresses and protocol already.
void parse_transport(Bytes segment, FiveTuple flow, FrameFacts& facts) {
  const bool tcp = flow.protocol == protocol_tcp;
  if ((!tcp && flow.protocol != protocol_udp) || segment.size() < 8) {
    return;
  }
  flow.source_port = read_16(segment, 0);
  flow.destination_port = read_16(segment, 2);
  facts.flow = flow;
  facts.tcp_seq = tcp ? read_32(segment, 4) : 0;
}

// RFC 791, 3.1
FrameFacts parse_ipv4(Bytes packet) {
  if (packet.size() < 20 || packet[0] >> 4 != 4) {
    return {};
  }
  FrameFacts facts;
  facts.ip_bytes = read_16(packet, 2);
  const std::size_t header = std::size_t{4} * (packet[0] & 0x0F);
  const std::size_t end = std::min<std::size_t>(packet.size(), facts.ip_bytes);  // Ethernet may pad
  const bool later_fragment = (read_16(packet, 6) & 0x1FFF) != 0;
  if (header < 20 || header > end || later_fragment) {
    return facts;
  }
  FiveTuple flow;
  flow.ip_version = 4;
  flow.protocol = packet[9];
  copy_address(packet.subspan(12, 4), flow.source);
  copy_address(packet.subspan(16, 4), flow.destination);
  parse_transport(packet.first(end).subspan(header), flow, facts);
  return facts;
}

// RFC 8200, 3
FrameFacts parse_ipv6(Bytes packet) {
  constexpr std::size_t header = 40;
  if (packet.size() < header || packet[0] >> 4 != 6) {
    return {};
  }
  FrameFacts facts;
  facts.ip_bytes = header + std::uint32_t{read_16(packet, 4)};
  FiveTuple flow;
  flow.ip_version = 6;
  flow.protocol = packet[6];
  copy_address(packet.subspan(8, 16), flow.source);
  copy_address(packet.subspan(24, 16), flow.destination);
  const std::size_t end = std::min<std::size_t>(packet.size(), facts.ip_bytes);
  parse_transport(packet.first(end).subspan(header), flow, facts);
  return facts;
}

}  // namespace

FrameFacts parse_frame(Bytes frame) {
  if (frame.size() < 14) {
    return {};
  }
  std::size_t payload = 14;
  std::uint16_t type = read_16(frame, 12);
  if (type == type_vlan || type == type_service_vlan) {
    if (frame.size() < 18) {
      return {};
    }
    type = read_16(frame, 16);
    payload = 18;
  }
  if (type == type_ipv4) {
    return parse_ipv4(frame.subspan(payload));
  }
  return type == type_ipv6 ? parse_ipv6(frame.subspan(payload)) : FrameFacts{};
}

std::string address_text(const std::array<std::uint8_t, 16>& address, std::uint8_t ip_version) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(ip_version == 4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

}  // namespace embedded
