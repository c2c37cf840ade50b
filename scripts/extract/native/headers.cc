// Link and IP headers: IEEE 802.1Q (VLAN tags), RFC 791 (IPv4), RFC 8200 (IPv6), RFC 4302 (AH).
#include "headers.h"

#include <algorithm>

#include "byte_order.h"
#include "transport.h"

namespace capture {
namespace {

constexpr std::uint32_t ipv4_bytes = 20;
constexpr std::uint32_t ipv6_bytes = 40;

// The bytes after the link header that may be published of a frame without IP. A message of ARP and the fixed part of
// an IP header fit, so that the published frame is read as the whole one.
constexpr std::uint32_t not_ip_bytes = 50;
static_assert(not_ip_bytes >= arp_bytes && not_ip_bytes >= ipv6_bytes);

// Finds the EtherType and the offset of its payload; false if the link header was not captured completely.
bool read_link(Bytes frame, std::uint16_t link_type, Headers& headers) {
  std::uint32_t type_at = 0;
  switch (link_type) {
    case ethernet:
      type_at = 12;
      headers.network = 14;
      break;
    case linux_cooked:
      type_at = 14;
      headers.network = 16;
      break;
    case linux_cooked_2:
      type_at = 0;
      headers.network = 20;
      break;
    default:
      return false;
  }
  if (frame.size() < headers.network) {
    headers.known |= is_cut;
    return false;
  }
  headers.known |= link_type == ethernet ? known_ethernet : 0;
  headers.ether_type = big_16(frame.data() + type_at);
  while (headers.ether_type == type_vlan || headers.ether_type == type_service_vlan) {
    if (frame.size() < headers.network + 4) {
      headers.known |= is_cut;
      return false;
    }
    if (!headers.has(known_vlan)) {
      headers.vlan = big_16(frame.data() + headers.network) & 0x0FFF;
      headers.known |= known_vlan;
    }
    headers.ether_type = big_16(frame.data() + headers.network + 2);
    headers.network += 4;
  }
  return true;
}

// Reads the headers after the IP headers. Only the first fragment has them.
void read_behind_ip(Bytes frame, Headers& headers) {
  headers.kept = headers.transport;
  if (headers.fragment_offset == 0) {
    const std::int64_t room = std::int64_t{headers.ip_bytes} - (headers.transport - headers.network);
    read_transport(frame.subspan(headers.transport), room, headers);
  }
}

void read_ipv4(Bytes frame, Headers& headers) {
  const Bytes packet = frame.subspan(headers.network);
  if (packet.size() < ipv4_bytes) {
    headers.known |= is_cut;
    return;
  }
  const std::uint8_t* at = packet.data();
  const std::uint32_t header = 4u * (at[0] & 0x0F);
  if (at[0] >> 4 != 4 || header < ipv4_bytes || big_16(at + 2) < header) {
    return;
  }
  headers.ip_version = 4;
  headers.tos = at[1];
  headers.ip_bytes = big_16(at + 2);
  headers.ip_id = big_16(at + 4);
  headers.fragment_offset = (big_16(at + 6) & 0x1FFFu) * 8;
  headers.ttl = at[8];
  headers.protocol = at[9];
  headers.known |= known_ip | known_protocol | known_ip_id | (at[6] & 0x20 ? is_more_fragments : 0);
  headers.transport = headers.network + header;
  if (packet.size() < header) {
    headers.known |= is_cut;
    headers.kept = headers.transport;
    return;
  }
  read_behind_ip(frame, headers);
}

enum Extension : std::uint8_t {
  hop_by_hop = 0,
  routing = 43,
  fragment = fragment_header,
  authentication = 51,
  options = 60,
  mobility = 135,
  host_identity = 139,
  shim = 140,
};

void read_fragment_header(const std::uint8_t* at, Headers& headers) {
  headers.fragment_offset = big_16(at + 2) & 0xFFF8u;
  headers.ip_id = big_32(at + 4);
  headers.known |= known_ip_id | (at[3] & 1 ? is_more_fragments : 0);
}

// Follows the captured extension headers to the transport protocol.
void read_ipv6(Bytes frame, Headers& headers) {
  const Bytes packet = frame.subspan(headers.network);
  if (packet.size() < ipv6_bytes) {
    headers.known |= is_cut;
    return;
  }
  const std::uint8_t* at = packet.data();
  if (at[0] >> 4 != 6) {
    return;
  }
  headers.ip_version = 6;
  headers.tos = static_cast<std::uint8_t>(big_16(at) >> 4);
  headers.ip_bytes = ipv6_bytes + big_16(at + 4);
  headers.ttl = at[7];
  headers.known |= known_ip;
  std::uint8_t next = at[6];
  std::uint32_t place = ipv6_bytes;
  while (is_extension(next) && headers.fragment_offset == 0) {
    if (packet.size() < place + 8) {
      headers.known |= is_cut;
      headers.kept = static_cast<std::uint32_t>(frame.size());
      return;
    }
    if (next == fragment) {
      read_fragment_header(at + place, headers);
    }
    const std::uint32_t size = extension_bytes(next, at + place);
    next = at[place];
    place += size;
  }
  headers.protocol = next;
  headers.known |= known_protocol;
  headers.transport = headers.network + place;
  headers.kept = headers.transport;
  if (packet.size() < place) {
    headers.known |= is_cut;
    return;
  }
  read_behind_ip(frame, headers);
}

}  // namespace

// RFC 8200, section 4; RFC 7045.
std::uint32_t extension_bytes(std::uint8_t kind, const std::uint8_t* at) {
  switch (kind) {
    case fragment:
      return 8;
    case authentication:
      return (at[1] + 2u) * 4;
    case hop_by_hop:
    case routing:
    case options:
    case mobility:
    case host_identity:
    case shim:
      return (at[1] + 1u) * 8;
    default:
      return 0;
  }
}

bool is_extension(std::uint8_t kind) {
  constexpr std::uint8_t any[2] = {0, 0};
  return extension_bytes(kind, any) > 0;
}

Headers find_headers(Bytes frame, std::uint16_t link_type) {
  Headers headers;
  headers.frame = frame.data();
  const bool has_link = read_link(frame, link_type, headers);
  headers.kept = headers.network > 0 ? headers.network + not_ip_bytes : 0;  // 0: an unknown link type
  if (!has_link) {
    return headers;
  }
  if (headers.ether_type == type_ipv4) {
    read_ipv4(frame, headers);
  } else if (headers.ether_type == type_ipv6) {
    read_ipv6(frame, headers);
  } else if (headers.ether_type == type_arp && frame.size() < headers.network + arp_bytes) {
    headers.known |= is_cut;
  }
  return headers;
}

}  // namespace capture
