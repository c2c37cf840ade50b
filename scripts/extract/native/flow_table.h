// Numbers TCP and UDP flows in the order of their first packets. Both directions are one flow.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "client_side.h"
#include "headers.h"

namespace capture {

struct Flow {
  std::array<std::uint8_t, 16> source{};  // IPv4 uses the first four bytes
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint16_t owner = 0;  // the client; two clients may use the same addresses
  std::uint8_t ip_version = 0;
  std::uint8_t protocol = 0;

  using Words = std::array<std::uint64_t, 5>;
  Words words() const { return std::bit_cast<Words>(*this); }

  bool operator==(const Flow& other) const { return words() == other.words(); }
};

static_assert(std::has_unique_object_representations_v<Flow>, "padding would be compared and hashed");

class FlowTable {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  // Further flows get no number, so that memory is limited.
  static constexpr std::size_t most_flows = 1 << 20;

  FlowTable() : slots_(1 << 12, none) {}

  // The number of a packet's flow, a new one for the first packet; `none` without ports or beyond `most_flows`.
  // The source is the service's end if the direction is known, otherwise the end with the lower port and address.
  std::uint32_t number(std::uint16_t owner, const Headers& headers, Direction direction);

  const std::vector<Flow>& flows() const { return flows_; }

 private:
  std::size_t slot_of(const Flow& flow) const;
  void grow();

  std::vector<Flow> flows_;
  std::uint32_t recent_ = none;       // the flow of the previous packet; most packets belong to the same one
  std::vector<std::uint32_t> slots_;  // numbers of flows by hash; the size is a power of two, at most half is used
};

}  // namespace capture
