// An interface description of a pcapng capture: the link type and the format of its timestamps.
// Format: draft-ietf-opsawg-pcapng, section 4.2.
#pragma once

#include <cstdint>
#include <optional>

#include "byte_order.h"
#include "byte_source.h"

namespace capture {

struct Interface {
  std::uint16_t link_type = 0;
  std::uint32_t snapshot = 0;     // the largest number of captured bytes of a packet; 0: no limit
  std::uint8_t resolution = 6;    // if_tsresol: a power of ten, or of two if the highest bit is set
  std::int64_t offset_s = 0;      // if_tsoffset

  // A timestamp in nanoseconds since the Unix epoch, rounded down, computed in integers.
  std::int64_t to_ns(std::uint64_t ticks) const;
};

// Reads the body of the block; nothing if it is too short or its time offset is impossible.
std::optional<Interface> read_interface(Bytes body, ByteOrder order);

}  // namespace capture
