// Waits until one of many files is readable. Files are returned in the order in which they became readable.
// Unlike poll(), the cost of waiting does not grow with the number of files.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

namespace embedded {

class Readiness {
 public:
  Readiness();
  ~Readiness();
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  // `wait` returns `tag` in the event of this file.
  void add(int fd, std::uint32_t tag);
  void remove(int fd);

  // The events of readable files, at most 64 at once. With `may_sleep` it sleeps until a file is readable or
  // a signal arrives. The span is valid until the next call.
  std::span<const epoll_event> wait(bool may_sleep);

 private:
  int fd_;
  std::array<epoll_event, 64> ready_{};
};

}  // namespace embedded
