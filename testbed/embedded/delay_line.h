// A delay line: frames leave in order, a fixed time after they enter.
#pragma once

#include <cstdint>
#include <limits>

#include "queues/ring.h"

namespace embedded {

// A frame on its way to a TAP: the buffer that holds its bytes, and when it is due.
struct Delivery {
  std::uintptr_t buffer = 0;
  std::uint32_t frame_bytes = 0;
  std::int64_t due_ns = 0;
};

class DelayLine {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  explicit DelayLine(std::int64_t delay_ns) : delay_ns_(delay_ns) {}

  // `now_ns` must not decrease from call to call.
  void enter(std::uintptr_t buffer, std::uint32_t frame_bytes, std::int64_t now_ns) {
    frames_.push({buffer, frame_bytes, now_ns + delay_ns_});
  }

  std::int64_t due_ns() const { return frames_.empty() ? never : frames_.front().due_ns; }
  bool empty() const { return frames_.empty(); }

  // The line must not be empty.
  Delivery leave() { return frames_.pop(); }

 private:
  std::int64_t delay_ns_;
  queues::Ring<Delivery> frames_;
};

}  // namespace embedded
