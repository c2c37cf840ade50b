// SIGTERM and SIGINT as something to wait for. Make it before any thread: threads inherit what is blocked.
#pragma once

namespace embedded {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int fd() const { return fd_; }

  // Whether one arrived since the last call.
  bool arrived();

 private:
  int fd_;
};

}  // namespace embedded
