// The system calls of sockets.h.
#include "sockets.h"

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <stdexcept>

#include "errors.h"

namespace flows {
namespace {

using embedded::system_message;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(system_message(what, errno)); }

}  // namespace

void Socket::close() {
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
}

void Socket::set(int level, int option, const void* value, socklen_t bytes) {
  if (setsockopt(fd_, level, option, value, bytes) != 0) {
    fail("cannot set socket option " + std::to_string(option));
  }
}

Socket tcp_socket() {
  Socket made(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (made.fd() < 0) {
    fail("cannot make a socket");
  }
  return made;
}

sockaddr_in endpoint(const std::string& address, const std::string& port) {
  sockaddr_in made{};
  made.sin_family = AF_INET;
  std::uint16_t number = 0;
  const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
  if (inet_pton(AF_INET, address.c_str(), &made.sin_addr) != 1 || read.ec != std::errc() ||
      read.ptr != port.data() + port.size() || number == 0) {
    throw embedded::UserError(address + " " + port + ": is not an IPv4 address and a port");
  }
  made.sin_port = htons(number);
  return made;
}

void bind_to(Socket& socket, const sockaddr_in& local) {
  socket.set(SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(socket.fd(), reinterpret_cast<const sockaddr*>(&local), sizeof local) != 0) {
    fail("port " + std::to_string(ntohs(local.sin_port)));
  }
}

Events::Events() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_.fd() < 0) {
    fail("cannot wait for sockets");
  }
}

void Events::add(int fd, std::uint32_t wanted, std::uint32_t tag) { control(EPOLL_CTL_ADD, fd, wanted, tag); }

void Events::change(int fd, std::uint32_t wanted, std::uint32_t tag) {
  control(EPOLL_CTL_MOD, fd, wanted, tag);
}

std::span<const epoll_event> Events::wait() {
  const int ready = epoll_wait(epoll_.fd(), ready_.data(), static_cast<int>(ready_.size()), -1);
  if (ready < 0 && errno != EINTR) {
    fail("cannot wait for sockets");
  }
  return std::span(ready_).first(static_cast<std::size_t>(ready < 0 ? 0 : ready));
}

void Events::control(int operation, int fd, std::uint32_t wanted, std::uint32_t tag) {
  epoll_event event{};
  event.events = wanted;
  event.data.u32 = tag;
  if (epoll_ctl(epoll_.fd(), operation, fd, &event) != 0) {
    fail("cannot wait for sockets");
  }
}

void allow_many_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

bool is_broken(int number) {
  return number == ECONNREFUSED || number == ECONNRESET || number == ETIMEDOUT || number == EPIPE;
}

}  // namespace flows
