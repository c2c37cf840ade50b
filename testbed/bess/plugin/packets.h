// Converts between BESS's packets and the handles and bytes of the embedded switch's parts.
#pragma once

#include <cstdint>
#include <span>

#include "module.h"

namespace plugin {

// The frame's bytes. Frames have at most 1514 bytes, so ports deliver each in one segment.
inline std::span<std::uint8_t> bytes_of(bess::Packet* packet) {
  return {packet->head_data<std::uint8_t*>(), static_cast<std::size_t>(packet->head_len())};
}

inline std::uintptr_t handle_of(bess::Packet* packet) { return reinterpret_cast<std::uintptr_t>(packet); }

inline bess::Packet* packet_of(std::uintptr_t handle) { return reinterpret_cast<bess::Packet*>(handle); }

// When the packet's last bit left the link, in ns of CLOCK_MONOTONIC. The queue writes it to the packet's
// scratchpad for the delay line, which is the next module. A metadata attribute of BESS does not work here:
// it reads as unset in a module that some packets reach without the attribute, as the uplink's packets do.
inline std::int64_t& serialised_ns(bess::Packet* packet) { return *packet->scratchpad<std::int64_t*>(); }

}  // namespace plugin
