// Reads the headers of an Ethernet frame for log and queue, and sets a CE mark. Understands one optional VLAN
// tag, IPv4 with options, IPv6 with its fixed header only (no ports are read after extension headers), TCP
// and UDP.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace embedded {

struct FiveTuple {
  std::array<std::uint8_t, 16> source{};  // an IPv4 address takes the first 4 bytes
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint8_t ip_version = 0;  // 4 or 6
  std::uint8_t protocol = 0;    // 6 TCP, 17 UDP

  bool operator==(const FiveTuple&) const = default;
};

struct FrameFacts {
  std::uint32_t ip_bytes = 0;  // total length as the IP header states it; 0 if not IP
  std::uint32_t tcp_seq = 0;   // 0 if not TCP
  std::optional<FiveTuple> flow;  // none if not TCP or UDP, a later fragment, or truncated
  // Of the 5-tuple. Of addresses and protocol alone if the ports are unknown, and in every fragment, so that
  // the fragments of a packet meet in one queue. Their identification is left out, because the fragmented
  // packets of a flow have to stay in order.
  std::uint64_t flow_hash = 0;
  bool ecn_capable = false;       // ECT or CE (RFC 3168, 5)
};

// The hash of a flow depends on the salt, so that no sender can choose addresses and ports that share a queue with
// another flow.
FrameFacts parse_frame(std::span<const std::uint8_t> frame, std::uint64_t salt = 0);

// Sets CE in an IP frame and updates the IPv4 header's checksum. Changes nothing else.
void mark_congestion(std::span<std::uint8_t> frame);

// An address of a FiveTuple as text.
std::string address_text(const std::array<std::uint8_t, 16>& address, std::uint8_t ip_version);

}  // namespace embedded
