// Replaces the addresses in the headers of a packet by pseudonyms, and whatever else could tell them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>

#include "headers.h"

namespace capture {

class Pseudonyms {
 public:
  // The pseudonym of an address: 4 bytes of IPv4 or 16 of IPv6, in network byte order.
  using Find = std::function<std::string(const std::string&)>;

  explicit Pseudonyms(Find find) : find_(std::move(find)) {}

  // Rewrites the published bytes of a frame. Its lengths, and every field that is extracted, stay as they are.
  // Of a frame without IP the link header stays, and the IP addresses of ARP. Options of IP and unknown options of TCP
  // are overwritten, because some hold addresses. Checksums become those of the published bytes.
  void replace(std::span<std::uint8_t> frame, const Headers& headers);

 private:
  void replace_without_ip(std::span<std::uint8_t> frame, const Headers& headers);
  void replace_address(std::span<std::uint8_t> address);

  Find find_;
  std::unordered_map<std::string, std::string> found_;
};

}  // namespace capture
