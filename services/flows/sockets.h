// What client and server share: sockets that close themselves, and waiting for many of them.
#pragma once

#include <netinet/in.h>
#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace flows {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket() { close(); }

  int fd() const { return fd_; }
  void close();

  // Throws std::runtime_error if the kernel refuses the option.
  template <typename Value>
  void set(int level, int option, const Value& value) {
    set(level, option, &value, sizeof value);
  }

 private:
  void set(int level, int option, const void* value, socklen_t bytes);

  int fd_ = -1;
};

// A TCP socket over IPv4 that never blocks. Throws std::runtime_error.
Socket tcp_socket();

// Throws embedded::UserError: it is not an IPv4 address and a port.
sockaddr_in endpoint(const std::string& address, const std::string& port);

// Binds a socket. A connection in TIME-WAIT does not keep the port. Throws std::runtime_error.
void bind_to(Socket& socket, const sockaddr_in& local);

// Waits for events of many files by level-triggered epoll.
class Events {
 public:
  Events();

  // `wait` returns `tag` in the events of this file. A file leaves when it is closed.
  void add(int fd, std::uint32_t wanted, std::uint32_t tag);
  void change(int fd, std::uint32_t wanted, std::uint32_t tag);

  // The next events. The span is valid until the next call.
  std::span<const epoll_event> wait();

 private:
  void control(int operation, int fd, std::uint32_t wanted, std::uint32_t tag);

  Socket epoll_;
  std::array<epoll_event, 256> ready_{};
};

// Lets this process open as many files as the host allows it.
void allow_many_files();

// Whether competition can cause this error of a connection: it is refused, reset, or times out.
bool is_broken(int number);

}  // namespace flows
