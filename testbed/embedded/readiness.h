// Which of many files can be read, in the order in which they became readable. The cost of waiting does not
// grow with their number, as a poll's does.
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

  // `tag` is what `wait` gives back for the file.
  void add(int fd, std::uint32_t tag);
  void remove(int fd);

  // The readable files, some of them if they are very many; sleeps until there is one if `may_sleep`. A
  // signal ends the sleep. The span holds until the next call.
  std::span<const epoll_event> wait(bool may_sleep);

 private:
  int fd_;
  std::array<epoll_event, 64> ready_{};
};

}  // namespace embedded
