// The rate limiter's arithmetic: when the link is free again. A packet takes the link for (frame bytes +
// overhead) * 8 / rate; the overhead is usually 24 bytes: preamble, gap and checksum. The time is kept as
// whole nanoseconds plus a fraction in units of 1/rate_bps ns, so that back-to-back packets add up exactly at
// any rate. Returned times are rounded up to whole nanoseconds.
#pragma once

#include <cstdint>

namespace queues {

class Link {
 public:
  // rate_bps 0 is unlimited: packets take no time. No sum below overflows within these bounds: rate <= 1e12,
  // overhead < 65536 bytes, frames < 2^24 bytes.
  Link(std::uint64_t rate_bps, std::uint32_t overhead_bytes)
      : rate_bps_(rate_bps), overhead_bytes_(overhead_bytes) {}

  std::int64_t free_ns() const { return whole_ns_ + (fraction_ > 0 ? 1 : 0); }

  // Marks the link as idle until `now_ns`. Changes nothing while the link is busy.
  void idle_until(std::int64_t now_ns) {
    if (free_ns() <= now_ns) {
      whole_ns_ = now_ns;
      fraction_ = 0;
    }
  }

  // Sends a packet from the moment the link is free; returns the end of its serialisation.
  std::int64_t send(std::uint32_t frame_bytes) {
    if (rate_bps_ > 0) {
      const std::uint64_t bits = (std::uint64_t{frame_bytes} + overhead_bytes_) * 8;
      const std::uint64_t cost = bits * 1'000'000'000 + fraction_;
      whole_ns_ += static_cast<std::int64_t>(cost / rate_bps_);
      fraction_ = cost % rate_bps_;
    }
    return free_ns();
  }

 private:
  std::uint64_t rate_bps_;
  std::uint32_t overhead_bytes_;
  std::int64_t whole_ns_ = 0;
  std::uint64_t fraction_ = 0;
};

}  // namespace queues
