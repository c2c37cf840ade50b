// The Internet checksum: RFC 1071. The pseudo-headers of TCP and UDP: RFC 9293, 3.1, and RFC 8200, 8.1.
#include "pseudonyms.h"

#include <algorithm>

#include "byte_order.h"

namespace capture {
namespace {

using Span = std::span<std::uint8_t>;

constexpr std::size_t ipv4_fixed = 20;
constexpr std::size_t ipv6_fixed = 40;
constexpr std::size_t tcp_fixed = 20;
constexpr std::uint8_t no_operation = 1;  // in the options of IPv4 and in those of TCP

// The bytes from `begin` to before `end`, as far as the span has them.
Span part(Span bytes, std::size_t begin, std::size_t end) {
  const std::size_t first = std::min(begin, bytes.size());
  return bytes.subspan(first, std::max(first, std::min(end, bytes.size())) - first);
}

void fill(Span bytes, std::uint8_t value) {
  std::fill(bytes.begin(), bytes.end(), value);
}

std::uint64_t sum(std::span<const std::uint8_t> bytes) {
  std::uint64_t total = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    total += at % 2 == 0 ? std::uint64_t{bytes[at]} << 8 : bytes[at];
  }
  return total;
}

void put_checksum(std::uint64_t total, Span field) {
  while (total >> 16 != 0) {
    total = (total & 0xFFFF) + (total >> 16);
  }
  field[0] = static_cast<std::uint8_t>(~total >> 8);
  field[1] = static_cast<std::uint8_t>(~total);
}

// A missing byte of the options is a no-operation too, as all of them are in the copy.
void rewrite_ipv4(Span packet, std::size_t header_bytes) {
  fill(part(packet, ipv4_fixed, header_bytes), no_operation);
  const Span checksum = packet.subspan(10, 2);
  fill(checksum, 0);
  const std::uint64_t options = (header_bytes - ipv4_fixed) / 2 * 0x0101;
  put_checksum(sum(packet.first(ipv4_fixed)) + options, checksum);
}

// Keeps type and length of each extension header, and the fragment header. Zeros are valid options (Pad1).
void rewrite_extensions(Span packet) {
  std::uint8_t next = packet[6];
  std::size_t place = ipv6_fixed;
  while (is_extension(next) && place + 2 <= packet.size()) {
    const std::size_t end = place + extension_bytes(next, packet.data() + place);
    if (next != fragment_header) {
      fill(part(packet, place + 2, end), 0);
    }
    next = packet[place];
    place = end;
  }
}

bool is_known_option(std::uint8_t kind, std::size_t size) {
  switch (kind) {
    case 2:  // maximum segment size
      return size == 4;
    case 3:  // window scale
      return size == 3;
    case 4:  // SACK permitted
      return size == 2;
    case 5:  // SACK
      return size >= 10 && size % 8 == 2;
    case 8:  // timestamps
      return size == 10;
    default:
      return false;
  }
}

void rewrite_tcp_options(Span options) {
  while (!options.empty() && options[0] != 0) {
    if (options[0] == no_operation) {
      options = options.subspan(1);
      continue;
    }
    if (options.size() < 2 || options[1] < 2 || options[1] > options.size()) {
      break;
    }
    const std::size_t size = options[1];
    if (!is_known_option(options[0], size)) {
      fill(options.first(size), no_operation);
    }
    options = options.subspan(size);
  }
  fill(options, 0);
}

// The payload counts as zeros: the copy lacks it.
void rewrite_transport(Span frame, const Headers& headers) {
  const Span segment = frame.subspan(headers.transport);
  const bool is_tcp = headers.protocol == tcp;
  const Span checksum = segment.subspan(is_tcp ? 16 : 6, 2);
  if (!is_tcp && checksum[0] == 0 && checksum[1] == 0) {
    return;  // the sender did not compute one
  }
  if (is_tcp) {
    rewrite_tcp_options(part(segment, tcp_fixed, headers.tcp_header_bytes));
  }
  fill(checksum, 0);
  const Span packet = frame.subspan(headers.network);
  const Span addresses = headers.ip_version == 4 ? packet.subspan(12, 8) : packet.subspan(8, 32);
  const std::uint32_t length = headers.ip_bytes - (headers.transport - headers.network);
  put_checksum(sum(addresses) + headers.protocol + length + sum(segment), checksum);
  if (!is_tcp && checksum[0] == 0 && checksum[1] == 0) {
    fill(checksum, 0xFF);
  }
}

}  // namespace

void Pseudonyms::replace(Span frame, const Headers& headers) {
  if (!headers.has(known_ip)) {
    replace_without_ip(frame, headers);
    return;
  }
  const Span packet = frame.subspan(headers.network);
  if (headers.ip_version == 4) {
    replace_address(packet.subspan(12, 4));
    replace_address(packet.subspan(16, 4));
    rewrite_ipv4(packet, headers.transport - headers.network);
  } else {
    replace_address(packet.subspan(8, 16));
    replace_address(packet.subspan(24, 16));
    rewrite_extensions(packet);
  }
  if (headers.has(known_ports)) {
    rewrite_transport(frame, headers);
  }
}

void Pseudonyms::replace_without_ip(Span frame, const Headers& headers) {
  const Span body = part(frame, headers.network, frame.size());
  if (headers.ether_type != type_arp || body.size() < arp_bytes) {
    fill(body, 0);
    return;
  }
  replace_address(body.subspan(arp_sender, 4));
  replace_address(body.subspan(arp_target, 4));
  fill(part(body, arp_hardware, arp_sender), 0);
  fill(part(body, arp_sender + 4, arp_target), 0);
  fill(part(body, arp_target + 4, body.size()), 0);
}

void Pseudonyms::replace_address(Span address) {
  const std::string original(address.begin(), address.end());
  auto place = found_.find(original);
  if (place == found_.end()) {
    place = found_.emplace(original, find_(original)).first;
  }
  std::copy_n(place->second.begin(), address.size(), address.begin());
}

}  // namespace capture
