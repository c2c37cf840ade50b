// Between BESS's packets and the embedded switch's parts.
#pragma once

#include <cstdint>
#include <span>

#include "module.h"

namespace plugin {

// The frame's bytes. Ports hand over frames in one piece: they are at most 1514 bytes long.
inline std::span<std::uint8_t> bytes_of(bess::Packet* packet) {
  return {packet->head_data<std::uint8_t*>(), static_cast<std::size_t>(packet->head_len())};
}

inline std::uintptr_t handle_of(bess::Packet* packet) { return reinterpret_cast<std::uintptr_t>(packet); }

inline bess::Packet* packet_of(std::uintptr_t handle) { return reinterpret_cast<bess::Packet*>(handle); }

// By which the queue tells the delay line after it when a packet's last bit left the link: ns of
// CLOCK_MONOTONIC, in the packet's scratchpad. No other module is between the two. BESS's own way, a metadata
// attribute, is none here: it reads as unset in a module that some packets reach without one, as the uplink's do.
inline std::int64_t& serialised_ns(bess::Packet* packet) { return *packet->scratchpad<std::int64_t*>(); }

}  // namespace plugin
