// The header fields of one packet. The fields of a header are known only if its whole fixed part was captured
// and its lengths are consistent. No field is guessed.
#pragma once

#include <array>
#include <cstdint>

#include "record.h"

namespace capture {

// Bits for the fields of a packet that are known. The two `is` bits are values themselves.
constexpr std::uint32_t known_ip = 1 << 0;
constexpr std::uint32_t known_protocol = 1 << 1;
constexpr std::uint32_t known_ip_id = 1 << 2;
constexpr std::uint32_t known_ports = 1 << 3;
constexpr std::uint32_t known_payload = 1 << 4;
constexpr std::uint32_t known_tcp = 1 << 5;
constexpr std::uint32_t known_tcp_header = 1 << 6;
constexpr std::uint32_t known_window_scale = 1 << 7;
constexpr std::uint32_t known_timestamps = 1 << 8;
constexpr std::uint32_t known_sack = 1 << 9;
constexpr std::uint32_t known_vlan = 1 << 10;
constexpr std::uint32_t known_quic = 1 << 11;
constexpr std::uint32_t known_direction = 1 << 12;
constexpr std::uint32_t known_flow = 1 << 13;
constexpr std::uint32_t known_ethernet = 1 << 14;
constexpr std::uint32_t is_more_fragments = 1 << 15;
constexpr std::uint32_t is_cut = 1 << 16;  // a header or the TCP options reach beyond the captured bytes

enum EtherType : std::uint16_t {
  type_ipv4 = 0x0800,
  type_arp = 0x0806,
  type_vlan = 0x8100,
  type_ipv6 = 0x86DD,
  type_service_vlan = 0x88A8,
};

enum Protocol : std::uint8_t { tcp = 6, udp = 17 };

struct SackBlock {
  std::uint32_t left;
  std::uint32_t right;
};

struct Headers {
  const std::uint8_t* frame = nullptr;
  std::uint32_t known = 0;
  std::uint32_t network = 0;    // offset of the IP header in the frame
  std::uint32_t transport = 0;  // offset of the first byte after the IP headers
  std::uint32_t kept = 0;       // bytes up to the end of the last header, which may be published
  std::uint16_t ether_type = 0;
  std::uint16_t vlan = 0;
  std::uint8_t ip_version = 0;
  std::uint8_t protocol = 0;
  std::uint8_t ttl = 0;
  std::uint8_t tos = 0;
  std::uint32_t ip_bytes = 0;
  std::uint32_t ip_id = 0;
  std::uint32_t fragment_offset = 0;  // bytes
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t payload_bytes = 0;
  std::uint32_t seq = 0;
  std::uint32_t ack = 0;
  std::uint16_t flags = 0;
  std::uint16_t window = 0;
  std::uint8_t tcp_header_bytes = 0;
  std::uint8_t window_scale = 0;
  std::uint32_t timestamp = 0;
  std::uint32_t timestamp_echo = 0;
  std::uint8_t sack_count = 0;
  std::array<SackBlock, 4> sack;  // the first sack_count are valid
  bool quic_long = false;

  bool has(std::uint32_t bits) const { return (known & bits) == bits; }
};

// An ARP message (RFC 826, IPv4 on Ethernet): where the addresses begin, the IP addresses in them, and its length.
constexpr std::uint32_t arp_hardware = 8;
constexpr std::uint32_t arp_sender = 14;
constexpr std::uint32_t arp_target = 24;
constexpr std::uint32_t arp_bytes = 28;

constexpr std::uint8_t fragment_header = 44;

// The length of an IPv6 extension header, whose first two bytes are at `at`; 0 for any other header.
std::uint32_t extension_bytes(std::uint8_t kind, const std::uint8_t* at);

// Whether this kind of header is an IPv6 extension header.
bool is_extension(std::uint8_t kind);

// Reads the headers in the captured bytes of a frame.
Headers find_headers(Bytes frame, std::uint16_t link_type);

}  // namespace capture
