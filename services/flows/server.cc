// One thread, every connection in one epoll. All flows send the same zeros, so nothing is buffered here.
#include "server.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <stdexcept>

#include "errors.h"

namespace flows {
namespace {

constexpr std::array<char, 1 << 16> zeros{};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(embedded::system_message(what, errno));
}

}  // namespace

Server::Server(const sockaddr_in& local, const std::string& log)
    : listener_(tcp_socket()), log_(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (log_.fd() < 0) {
    throw embedded::UserError(embedded::system_message(log, errno));
  }
  bind_to(listener_, local);
  // Every connection inherits it: a socket is readable once the whole request is there.
  listener_.set(SOL_SOCKET, SO_RCVLOWAT, static_cast<int>(request_bytes));
  if (listen(listener_.fd(), SOMAXCONN) != 0) {
    fail("cannot listen");
  }
  events_.add(listener_.fd(), EPOLLIN, static_cast<std::uint32_t>(listener_.fd()));
}

void Server::run() {
  while (true) {
    for (const epoll_event& event : events_.wait()) {
      const int fd = static_cast<int>(event.data.u32);
      if (fd == listener_.fd()) {
        accept_all();
      } else if (const auto found = open_.find(fd); found != open_.end() && !handle(found->second)) {
        open_.erase(found);
      }
    }
  }
}

void Server::accept_all() {
  while (true) {
    Socket accepted(accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const int fd = accepted.fd();
    if (fd >= 0) {
      events_.add(fd, EPOLLIN, static_cast<std::uint32_t>(fd));
      open_[fd].socket = std::move(accepted);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != ECONNABORTED) {
      fail("cannot accept a connection");
    }
  }
}

bool Server::handle(Sending& sending) {
  if (sending.state == State::awaiting_request && !read_request(sending)) {
    return false;
  }
  if (sending.state == State::sending && send_more(sending)) {
    return true;
  }
  write_log(sending);
  return false;
}

bool Server::read_request(Sending& sending) {
  RequestMessage message;
  const ssize_t bytes = recv(sending.socket.fd(), message.data(), message.size(), 0);
  // The testbed's probes connect and request nothing.
  const std::optional<Request> request =
      bytes == static_cast<ssize_t>(message.size()) ? decode(message) : std::nullopt;
  if (!request) {
    return false;
  }
  if (request->rate_limit_bytes_per_s > 0) {
    sending.socket.set(SOL_SOCKET, SO_MAX_PACING_RATE, request->rate_limit_bytes_per_s);
  }
  sending.number = request->number;
  sending.left_bytes = request->size_bytes;
  sending.state = State::sending;
  events_.change(sending.socket.fd(), EPOLLOUT, static_cast<std::uint32_t>(sending.socket.fd()));
  return true;
}

bool Server::send_more(Sending& sending) {
  const int fd = sending.socket.fd();
  while (sending.left_bytes > 0) {
    const std::size_t part = std::min<std::uint64_t>(sending.left_bytes, zeros.size());
    // MSG_MORE: only the last segment of a flow may be short.
    const ssize_t sent = send(fd, zeros.data(), part, MSG_NOSIGNAL | MSG_MORE);
    if (sent < 0 && errno == EAGAIN) {
      return true;
    }
    if (sent < 0 && !is_broken(errno)) {
      fail("cannot send");
    }
    if (sent < 0) {
      return false;
    }
    sending.left_bytes -= static_cast<std::uint64_t>(sent);
  }
  shutdown(fd, SHUT_WR);
  sending.state = State::awaiting_end;
  events_.change(fd, EPOLLIN, static_cast<std::uint32_t>(fd));
  return true;
}

void Server::write_log(const Sending& sending) {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  getsockopt(sending.socket.fd(), IPPROTO_TCP, TCP_INFO, &info, &bytes);
  const std::string line = std::to_string(sending.number) + ' ' + std::to_string(info.tcpi_total_retrans) + '\n';
  if (write(log_.fd(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    fail("cannot write the log");
  }
}

}  // namespace flows
