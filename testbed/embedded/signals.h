// SIGTERM and SIGINT as a file to wait for. Create it before any thread, because threads inherit the mask of
// blocked signals.
#pragma once

namespace embedded {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int fd() const { return fd_; }

  // Whether a signal arrived since the last call.
  bool arrived();

 private:
  int fd_;
};

}  // namespace embedded
