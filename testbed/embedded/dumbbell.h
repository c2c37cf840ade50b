// The topology in virtual time: every client's downlink through its access, where it has one, through the one
// bottleneck and its own delay, every uplink through its delay alone; and the counters of both. No clock, no
// I/O, no buffers' contents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "access_ways.h"
#include "config.h"
#include "delay_line.h"
#include "queues/bottleneck.h"

namespace embedded {

struct Tally {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // frame bytes

  void add(std::uint32_t frame_bytes) {
    ++packets;
    bytes += frame_bytes;
  }
  void add(const Tally& other) {
    packets += other.packets;
    bytes += other.bytes;
  }
};

// Downlink: arrived = forwarded + dropped + left once the run is over. Each is counted where it happens,
// none is derived from the others. What is still before the bottleneck at the end has not arrived.
struct ClientCounters {
  Tally lost_before;  // in the access: these never arrived
  Tally arrived;      // at the bottleneck
  Tally forwarded;    // handed to the client's interface, after the delay
  Tally dropped;      // by the discipline, or at random before it
  Tally left;         // refused by the interface, or still under way at the end
  Tally uplink;       // handed to the service's interface
};

enum class Way { down, up };

struct DueFrame {
  Way way = Way::down;
  std::size_t client = 0;
  Delivery delivery;
};

class Dumbbell {
 public:
  explicit Dumbbell(const Config& config);

  // What became of packets, this one and others; the span holds until the next of these two calls. A dropped
  // packet's buffer is the caller's again. `now_ns` never decreases.
  std::span<const queues::Outcome> arrive_down(const queues::Packet& packet, std::int64_t now_ns);
  std::span<const queues::Outcome> advance(std::int64_t now_ns);

  void arrive_up(std::size_t client, std::uintptr_t buffer, std::uint32_t frame_bytes, std::int64_t now_ns);

  // Takes the earliest frame due by `now_ns`. The caller reports with `delivered` what became of it.
  std::optional<DueFrame> take_due(std::int64_t now_ns);
  void delivered(const DueFrame& frame, bool written);

  // The latest time by which to call again so that no delivery is late.
  std::int64_t wake_ns() const;
  bool empty() const;

  // Counts everything still under way as left over.
  void abandon(std::int64_t now_ns);

  const std::vector<ClientCounters>& counters() const { return counters_; }

 private:
  void admit_arriving(std::int64_t now_ns);
  void admit(const queues::Packet& packet, std::int64_t now_ns);
  void carry(std::span<const queues::Outcome> outcomes);
  DueFrame earliest() const;
  DelayLine& line(const DueFrame& frame);

  AccessWays access_;
  queues::Bottleneck bottleneck_;
  std::vector<DelayLine> down_;
  std::vector<DelayLine> up_;
  std::int64_t least_delay_down_ns_ = DelayLine::never;
  std::vector<ClientCounters> counters_;
  std::vector<queues::Outcome> outcomes_;
};

}  // namespace embedded
