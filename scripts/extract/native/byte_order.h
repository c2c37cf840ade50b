// Reads numbers in network byte order, or in the byte order of a capture's section.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace capture {

static_assert(std::endian::native == std::endian::little, "reads are written for little-endian machines");

inline std::uint16_t big_16(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] << 8 | at[1]);
}

inline std::uint32_t big_32(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

// Reads numbers that a machine with the same or with the opposite byte order wrote.
class ByteOrder {
 public:
  explicit ByteOrder(bool swapped = false) : swapped_(swapped) {}

  std::uint16_t u16(const std::uint8_t* at) const {
    std::uint16_t value;
    std::memcpy(&value, at, sizeof value);
    return swapped_ ? __builtin_bswap16(value) : value;
  }

  std::uint32_t u32(const std::uint8_t* at) const {
    std::uint32_t value;
    std::memcpy(&value, at, sizeof value);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  std::uint64_t u64(const std::uint8_t* at) const {
    std::uint64_t value;
    std::memcpy(&value, at, sizeof value);
    return swapped_ ? __builtin_bswap64(value) : value;
  }

 private:
  bool swapped_;
};

}  // namespace capture
