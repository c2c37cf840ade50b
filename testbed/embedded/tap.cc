// Attaches to a TAP in another network namespace, and reads and writes its frames.
#include "tap.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "errors.h"

namespace embedded {
namespace {

int open_or_throw(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) {
    throw UserError(system_message("cannot open " + path, errno));
  }
  return fd;
}

// Attaches in the current namespace. Returns -1 with errno set on failure.
int attach(const std::string& interface) {
  const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  interface.copy(request.ifr_name, IFNAMSIZ - 1);
  if (ioctl(fd, TUNSETIFF, &request) == 0) {
    return fd;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// Calls `attach` within the namespace and returns its result.
int attach_within(int netns, int home, const std::string& interface) {
  if (setns(netns, CLONE_NEWNET) != 0) {
    return -1;
  }
  const int fd = attach(interface);
  const int error = errno;
  if (setns(home, CLONE_NEWNET) != 0) {
    throw std::runtime_error(system_message("cannot return to the switch's network namespace", errno));
  }
  errno = error;
  return fd;
}

}  // namespace

Tap::Tap(const std::string& netns, const std::string& interface) : name_(interface + " in " + netns) {
  const int away = open_or_throw(netns, O_RDONLY);
  const int home = open_or_throw("/proc/thread-self/ns/net", O_RDONLY);
  fd_ = attach_within(away, home, interface);
  const int error = errno;
  close(home);
  close(away);
  if (fd_ < 0) {
    throw UserError(system_message("cannot attach to the TAP " + name_, error));
  }
}

Tap::~Tap() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

Tap::Tap(Tap&& other) noexcept : name_(std::move(other.name_)), fd_(std::exchange(other.fd_, -1)) {}

std::size_t Tap::read(std::span<std::uint8_t> buffer) {
  const ssize_t bytes = ::read(fd_, buffer.data(), buffer.size());
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) {
    return 0;
  }
  if (bytes < 0) {
    throw std::runtime_error(system_message("cannot read from the TAP " + name_, errno));
  }
  const auto size = static_cast<std::size_t>(bytes);
  if (size == buffer.size()) {  // the kernel truncates a longer frame silently
    throw std::runtime_error("a frame of " + std::to_string(size) + " bytes or more arrived at the TAP " +
                             name_ + "; set the interface's MTU to 1500");
  }
  return size;
}

bool Tap::write(std::span<const std::uint8_t> frame) {
  return ::write(fd_, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size());
}

}  // namespace embedded
