// The rate limiter's arithmetic: when the link is free again.
// A packet costs frame bytes + overhead (24: preamble, gap and checksum) at the rate. The time is kept
// as whole nanoseconds plus a fraction counted in 1/rate_bps ns, so that back-to-back packets add up
// exactly at any rate. Times given out are the first whole nanosecond at which the link is free.
#pragma once

#include <cstdint>

namespace queues {

class Link {
 public:
  // rate_bps 0: unlimited, every packet takes no time. Bounds: rate <= 1e12, overhead < 65536, frames
  // < 2^24 bytes; within them no sum below overflows.
  Link(std::uint64_t rate_bps, std::uint32_t overhead_bytes)
      : rate_bps_(rate_bps), overhead_bytes_(overhead_bytes) {}

  std::int64_t free_ns() const { return whole_ns_ + (fraction_ > 0 ? 1 : 0); }

  // The link stood idle until `now_ns`, or is busy still and this changes nothing.
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
