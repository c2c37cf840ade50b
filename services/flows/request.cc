// Packs and unpacks the request by memcpy, so no structure's layout matters.
#include "request.h"

#include <endian.h>

#include <cstring>

namespace flows {
namespace {

constexpr std::uint32_t magic = 0x69666f31;  // "ifo1"

}  // namespace

RequestMessage encode(const Request& request) {
  const std::uint32_t head[] = {htobe32(magic), htobe32(request.number)};
  const std::uint64_t body[] = {htobe64(request.size_bytes), htobe64(request.rate_limit_bytes_per_s)};
  RequestMessage message;
  std::memcpy(message.data(), head, sizeof head);
  std::memcpy(message.data() + sizeof head, body, sizeof body);
  return message;
}

std::optional<Request> decode(const RequestMessage& message) {
  std::uint32_t head[2];
  std::uint64_t body[2];
  std::memcpy(head, message.data(), sizeof head);
  std::memcpy(body, message.data() + sizeof head, sizeof body);
  if (be32toh(head[0]) != magic) {
    return std::nullopt;
  }
  return Request{be32toh(head[1]), be64toh(body[0]), be64toh(body[1])};
}

}  // namespace flows
