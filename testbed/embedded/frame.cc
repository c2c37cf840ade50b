// Parses frames by byte offsets. Nothing is read beyond the end of a truncated frame.
#include "frame.h"

#include <arpa/inet.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "siphash.h"

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

bool is_ecn_capable(std::uint8_t traffic_class) { return (traffic_class & 0x03) != 0; }

std::uint64_t hash(const FiveTuple& tuple, std::uint64_t salt) {
  static_assert(std::has_unique_object_representations_v<FiveTuple>, "padding would be hashed");
  return siphash(std::bit_cast<std::array<std::uint8_t, sizeof(FiveTuple)>>(tuple), {salt, 0});
}

void copy_address(Bytes from, std::array<std::uint8_t, 16>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

// Adds ports and sequence number. `flow` already has the addresses and the protocol.
void parse_transport(Bytes segment, FiveTuple flow, std::uint64_t salt, FrameFacts& facts) {
  const bool tcp = flow.protocol == protocol_tcp;
  if ((!tcp && flow.protocol != protocol_udp) || segment.size() < 8) {
    return;
  }
  flow.source_port = read_16(segment, 0);
  flow.destination_port = read_16(segment, 2);
  facts.flow = flow;
  facts.flow_hash = hash(flow, salt);
  facts.tcp_seq = tcp ? read_32(segment, 4) : 0;
}

// RFC 791, 3.1
FrameFacts parse_ipv4(Bytes packet, std::uint64_t salt) {
  if (packet.size() < 20 || packet[0] >> 4 != 4) {
    return {};
  }
  FrameFacts facts;
  facts.ip_bytes = read_16(packet, 2);
  facts.ecn_capable = is_ecn_capable(packet[1]);
  FiveTuple flow;
  flow.ip_version = 4;
  flow.protocol = packet[9];
  copy_address(packet.subspan(12, 4), flow.source);
  copy_address(packet.subspan(16, 4), flow.destination);
  facts.flow_hash = hash(flow, salt);
  const std::size_t header = std::size_t{4} * (packet[0] & 0x0F);
  const std::size_t end = std::min<std::size_t>(packet.size(), facts.ip_bytes);  // padding may follow
  const std::uint16_t fragment = read_16(packet, 6);
  const bool is_later_fragment = (fragment & 0x1FFF) != 0;
  const bool has_more_fragments = (fragment & 0x2000) != 0;
  if (header < 20 || header > end || is_later_fragment) {
    return facts;
  }
  parse_transport(packet.first(end).subspan(header), flow, salt, facts);
  if (has_more_fragments) {
    facts.flow_hash = hash(flow, salt);  // as the later fragments, which have no ports
  }
  return facts;
}

// RFC 8200, 3
FrameFacts parse_ipv6(Bytes packet, std::uint64_t salt) {
  constexpr std::size_t header = 40;
  if (packet.size() < header || packet[0] >> 4 != 6) {
    return {};
  }
  FrameFacts facts;
  facts.ip_bytes = header + std::uint32_t{read_16(packet, 4)};
  facts.ecn_capable = is_ecn_capable(static_cast<std::uint8_t>(packet[1] >> 4));
  FiveTuple flow;
  flow.ip_version = 6;
  flow.protocol = packet[6];
  copy_address(packet.subspan(8, 16), flow.source);
  copy_address(packet.subspan(24, 16), flow.destination);
  facts.flow_hash = hash(flow, salt);
  const std::size_t end = std::min<std::size_t>(packet.size(), facts.ip_bytes);
  parse_transport(packet.first(end).subspan(header), flow, salt, facts);
  return facts;
}

// The offset of the packet after the Ethernet header, and its EtherType.
struct EthernetPayload {
  std::size_t offset = 14;
  std::uint16_t type = 0;
};

// None if the frame ends before the packet.
std::optional<EthernetPayload> ethernet_payload(Bytes frame) {
  if (frame.size() < 14) {
    return std::nullopt;
  }
  const std::uint16_t type = read_16(frame, 12);
  if (type != type_vlan && type != type_service_vlan) {
    return EthernetPayload{14, type};
  }
  return frame.size() < 18 ? std::nullopt : std::optional(EthernetPayload{18, read_16(frame, 16)});
}

}  // namespace

FrameFacts parse_frame(Bytes frame, std::uint64_t salt) {
  const auto payload = ethernet_payload(frame);
  if (payload && payload->type == type_ipv4) {
    return parse_ipv4(frame.subspan(payload->offset), salt);
  }
  return payload && payload->type == type_ipv6 ? parse_ipv6(frame.subspan(payload->offset), salt) : FrameFacts{};
}

void mark_congestion(std::span<std::uint8_t> frame) {
  const auto payload = ethernet_payload(frame);
  if (!payload) {
    return;
  }
  const auto packet = frame.subspan(payload->offset);
  if (payload->type == type_ipv6 && packet.size() >= 2) {
    packet[1] |= 0x30;
  } else if (payload->type == type_ipv4 && packet.size() >= 20) {
    const std::uint32_t before = read_16(packet, 0);
    packet[1] |= 0x03;
    // RFC 1624, 3, equation 3: HC' = ~(~HC + ~m + m')
    const std::uint32_t sum = (~read_16(packet, 10) & 0xFFFFu) + (~before & 0xFFFFu) + read_16(packet, 0);
    const std::uint32_t folded = (sum & 0xFFFF) + (sum >> 16);
    const auto checksum = static_cast<std::uint16_t>(~((folded & 0xFFFF) + (folded >> 16)));
    packet[10] = static_cast<std::uint8_t>(checksum >> 8);
    packet[11] = static_cast<std::uint8_t>(checksum);
  }
}

std::string address_text(const std::array<std::uint8_t, 16>& address, std::uint8_t ip_version) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(ip_version == 4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

}  // namespace embedded
