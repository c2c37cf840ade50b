// An interface description of a pcapng capture: the kind of link and what its timestamps mean.
// Format: draft-ietf-opsawg-pcapng, section 4.2.
#pragma once

#include <cstdint>
#include <optional>

#include "byte_order.h"
#include "byte_source.h"

namespace capture {

struct Interface {
  std::uint16_t link_type = 0;
  std::uint32_t snapshot = 0;     // the most bytes captured of a packet; 0: no limit
  std::uint8_t resolution = 6;    // if_tsresol: a power of ten, or of two with the highest bit
  std::int64_t offset_s = 0;      // if_tsoffset

  // A timestamp as whole nanoseconds since the epoch, rounded down, without floats.
  std::int64_t to_ns(std::uint64_t ticks) const;
};

// Reads what stands between the block's length fields; nothing if it is too short or its offset impossible.
std::optional<Interface> read_interface(Bytes body, ByteOrder order);

}  // namespace capture
