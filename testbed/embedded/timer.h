// One alarm at an absolute time of CLOCK_MONOTONIC, as a file to wait for. The timeout of a wait would start
// and cancel a kernel timer for every arriving frame, which is expensive on a virtual machine. This timer is
// set only when the next deadline changes.
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

  // The file is readable from `due_ns` (> 0) until the next call. INT64_MAX means never.
  void set(std::int64_t due_ns);

 private:
  int fd_;
  std::int64_t due_ns_;
};

}  // namespace embedded
