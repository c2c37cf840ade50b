// One alarm at an absolute time of CLOCK_MONOTONIC, as something to wait for.
// A wait's own timeout would start and cancel a kernel timer for every frame that arrives; this one is set
// only when the next deadline changes, and on a virtual machine setting it is what costs.
#pragma once

#include <cstdint>

namespace embedded {

class Timer {
 public:
  Timer();
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  int fd() const { return fd_; }

  // Readable from `due_ns` (> 0) on, until set anew. INT64_MAX: never.
  void set(std::int64_t due_ns);

 private:
  int fd_;
  std::int64_t due_ns_;
};

}  // namespace embedded
