// What the client of a flow sends first, and all that it sends: 24 bytes, numbers in network byte order.
//
//   4  magic, "ifo1"
//   4  number of the flow
//   8  size of the flow, bytes
//   8  rate limit, bytes/s; 0 means none
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace flows {

inline constexpr std::size_t request_bytes = 24;

using RequestMessage = std::array<std::byte, request_bytes>;

struct Request {
  std::uint32_t number = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t rate_limit_bytes_per_s = 0;
};

RequestMessage encode(const Request& request);

// Nothing if it is not a message of `encode`.
std::optional<Request> decode(const RequestMessage& message);

}  // namespace flows
