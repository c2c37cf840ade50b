// What a queue discipline knows about a packet, and the verdicts it may give.
// The caller keeps the packet itself: `handle` is the caller's reference to it (the index of a buffer, a
// pointer), which disciplines pass on unread.
#pragma once

#include <cstdint>

namespace queues {

// The numbers are the values of the queue log's column `verdict`.
enum class Verdict : std::uint8_t {
  forwarded = 0,
  dropped_tail = 1,
  dropped_aqm = 2,
  dropped_random = 3,
  marked = 4,       // forwarded with a CE mark
  lost_before = 5,  // lost on its access link: it never arrived at the bottleneck
};

constexpr bool is_drop(Verdict verdict) {
  return verdict != Verdict::forwarded && verdict != Verdict::marked;
}

struct Packet {
  std::uintptr_t handle = 0;
  std::int64_t arrival_ns = 0;        // set by the bottleneck, on the caller's clock
  std::uint32_t client = 0;           // counted from 0
  std::uint32_t flow = 0;             // index into the caller's flow table
  std::uint64_t flow_hash = 0;        // the same for all packets of a flow; the caller salts it
  std::uint32_t tcp_seq = 0;          // 0 if not TCP
  std::uint32_t frame_bytes = 0;      // Ethernet header included, checksum not
  std::uint32_t ip_bytes = 0;         // IP total length; 0 if not IP
  std::uint32_t backlog_packets = 0;  // found on arrival, set by the bottleneck
  std::uint32_t backlog_bytes = 0;    // the same in frame bytes
  bool ecn_capable = false;           // its sender reacts to a CE mark as to a loss (RFC 3168, 5)
};

struct Decision {
  Packet packet;
  Verdict verdict = Verdict::forwarded;
};

}  // namespace queues
