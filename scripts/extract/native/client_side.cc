#include "client_side.h"

#include <algorithm>

#include "byte_order.h"

namespace capture {

Direction ClientSide::direction(const Headers& headers) const {
  if (names(headers, End::source)) {
    return Direction::up;
  }
  if (names(headers, End::destination)) {
    return Direction::down;
  }
  const std::optional<EthernetAddress> source = ethernet_ ? ethernet_source(headers) : std::nullopt;
  if (!source) {
    return Direction::unknown;
  }
  return source == ethernet_ ? Direction::up : Direction::down;
}

bool ClientSide::names(const Headers& headers, End end) const {
  const std::uint8_t* at = headers.frame + headers.network;
  const bool source = end == End::source;
  if (headers.has(known_ip) && headers.ip_version == 6) {
    return std::ranges::any_of(
        ipv6_, [at = at + (source ? 8 : 24)](const Address& mine) { return std::equal(mine.begin(), mine.end(), at); });
  }
  std::uint32_t place = source ? 12 : 16;
  if (!headers.has(known_ip)) {
    if (headers.ether_type != type_arp || headers.has(is_cut)) {
      return false;
    }
    place = source ? arp_sender : arp_target;
  }
  return std::ranges::find(ipv4_, big_32(at + place)) != ipv4_.end();
}

std::optional<ClientSide::EthernetAddress> ethernet_source(const Headers& headers) {
  if (!headers.has(known_ethernet)) {
    return std::nullopt;
  }
  ClientSide::EthernetAddress source;
  std::copy_n(headers.frame + 6, source.size(), source.begin());
  return source;
}

}  // namespace capture
