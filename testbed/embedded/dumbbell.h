// The dumbbell topology in virtual time, and its counters. Each client's downlink passes its access link (if
// it has one), the shared bottleneck and the client's delay; each uplink passes the client's delay only. This
// class reads no clock, does no I/O and does not look at the contents of buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "access_links.h"
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

// At the end of a run, arrived = forwarded + left.
struct UplinkCounters {
  Tally arrived;
  Tally forwarded;  // handed to the service's interface
  Tally left;       // refused by the interface, or still in flight at the end
};

// At the end of a run, arrived = forwarded + dropped + left on the downlink. Each counter is incremented
// where the event happens; none is computed from the others. Packets still on an access link at the end have
// not arrived.
struct ClientCounters {
  Tally lost_before;  // on the access link: these never arrived
  Tally arrived;      // at the bottleneck
  Tally forwarded;    // handed to the client's interface, after the delay
  Tally dropped;      // by the discipline, or at random before it
  Tally left;         // refused by the interface, or still in flight at the end
  UplinkCounters uplink;
};

enum class Direction { down, up };

struct DueFrame {
  Direction direction = Direction::down;
  std::size_t client = 0;
  Delivery delivery;
};

class Dumbbell {
 public:
  explicit Dumbbell(const Config& config);

  // Both calls return the outcomes of packets, of this one and of others. The span is valid until the next
  // call of either. The buffer of a dropped packet is the caller's again. `now_ns` must not decrease from
  // call to call.
  std::span<const queues::Outcome> arrive_down(const queues::Packet& packet, std::int64_t now_ns);
  std::span<const queues::Outcome> advance(std::int64_t now_ns);

  void arrive_up(std::size_t client, std::uintptr_t buffer, std::uint32_t frame_bytes, std::int64_t now_ns);

  // Takes the earliest frame due by `now_ns`. The caller then calls `delivered` with the result.
  std::optional<DueFrame> take_due(std::int64_t now_ns);
  void delivered(const DueFrame& frame, bool written);

  // The latest time of the next call at which no delivery is late.
  std::int64_t wake_ns() const;
  bool empty() const;

  // Counts every packet still in flight as left.
  void abandon(std::int64_t now_ns);

  const std::vector<ClientCounters>& counters() const { return counters_; }

 private:
  void admit_arrived(std::int64_t now_ns);
  void admit(const queues::Packet& packet, std::int64_t now_ns);
  void add_outcomes(std::span<const queues::Outcome> outcomes);
  DueFrame earliest() const;
  DelayLine& line(const DueFrame& frame);

  AccessLinks access_;
  queues::Bottleneck bottleneck_;
  std::vector<DelayLine> down_;
  std::vector<DelayLine> up_;
  std::int64_t shortest_delay_down_ns_ = DelayLine::never;
  std::vector<ClientCounters> counters_;
  std::vector<queues::Outcome> outcomes_;
};

}  // namespace embedded
