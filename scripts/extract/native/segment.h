// The fields of one TCP segment that the analysis of connections needs.
#pragma once

#include <cstdint>
#include <optional>

namespace capture {

// Whether `a` precedes `b`, modulo 2^32 (RFC 9293, 3.4; RFC 7323, 5.2).
inline bool before(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) < 0;
}

struct Segment {
  static constexpr std::uint16_t fin = 1, syn = 2, rst = 4, acknowledges = 16;

  bool has(std::uint16_t bits) const { return (flags & bits) != 0; }

  // Whether it takes sequence numbers, so that it can be retransmitted or overtaken.
  bool counts() const { return payload > 0 || has(syn | fin); }

  // The number after its last byte; a SYN or FIN counts as a byte (RFC 9293, 3.4).
  std::uint32_t end() const { return seq + payload + (has(syn | fin) ? 1 : 0); }

  std::int64_t time_ns = 0;
  std::uint32_t seq = 0;
  std::uint32_t ack = 0;
  std::uint32_t payload = 0;
  std::uint32_t window = 0;  // as in the header, unscaled
  std::uint16_t flags = 0;
  std::uint32_t sacked = 0;  // bytes in its SACK blocks (RFC 2018), without blocks that report duplicates
  std::optional<std::uint32_t> timestamp;  // TSval (RFC 7323)
  std::uint32_t timestamp_echo = 0;        // TSecr
};

}  // namespace capture
