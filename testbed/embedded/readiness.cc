// Readiness by level-triggered epoll: a file that was not read is readable again at the next wait.
#include "readiness.h"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "errors.h"

namespace embedded {

Readiness::Readiness() : fd_(epoll_create1(EPOLL_CLOEXEC)) {
  if (fd_ < 0) {
    throw std::runtime_error(system_message("cannot wait for frames", errno));
  }
}

Readiness::~Readiness() { close(fd_); }

void Readiness::add(int fd, std::uint32_t tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = tag;
  if (epoll_ctl(fd_, EPOLL_CTL_ADD, fd, &event) != 0) {
    throw std::runtime_error(system_message("cannot wait for frames", errno));
  }
}

void Readiness::remove(int fd) { epoll_ctl(fd_, EPOLL_CTL_DEL, fd, nullptr); }

std::span<const epoll_event> Readiness::wait(bool may_sleep) {
  const int ready = epoll_wait(fd_, ready_.data(), static_cast<int>(ready_.size()), may_sleep ? -1 : 0);
  if (ready < 0 && errno != EINTR) {
    throw std::runtime_error(system_message("cannot wait for frames", errno));
  }
  return std::span(ready_).first(static_cast<std::size_t>(ready < 0 ? 0 : ready));
}

}  // namespace embedded
