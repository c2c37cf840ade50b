// Decides whether a packet goes to a client or comes from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "headers.h"

namespace capture {

enum class Direction : std::uint8_t { down, up, unknown };

class ClientSide {
 public:
  using Address = std::array<std::uint8_t, 16>;
  using EthernetAddress = std::array<std::uint8_t, 6>;

  void add_ipv4(std::uint32_t address) { ipv4_.push_back(address); }
  void add_ipv6(const Address& address) { ipv6_.push_back(address); }

  // For a capture made on the client's own interface. This address decides about packets with other IP
  // addresses (IPv6, multicast).
  void set_ethernet(const EthernetAddress& address) { ethernet_ = address; }

  Direction direction(const Headers& headers) const;

 private:
  enum class End : std::uint8_t { source, destination };

  bool names(const Headers& headers, End end) const;

  std::vector<std::uint32_t> ipv4_;
  std::vector<Address> ipv6_;
  std::optional<EthernetAddress> ethernet_;
};

// The source address of an Ethernet frame; nothing for other frames.
std::optional<ClientSide::EthernetAddress> ethernet_source(const Headers& headers);

}  // namespace capture
