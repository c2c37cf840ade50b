// One thread: a timer for the next start, and every open flow in one epoll.
#include "client.h"

#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>

#include "clock.h"
#include "errors.h"
#include "request.h"

namespace flows {
namespace {

constexpr std::uint32_t timer_tag = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t stop_tag = timer_tag - 1;
constexpr std::size_t read_bytes = 1 << 20;

std::int64_t unix_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::optional<std::int64_t> reached(std::int64_t time_ns) {
  return time_ns == 0 ? std::nullopt : std::optional(time_ns);
}

int pending_error(int fd) {
  int error = 0;
  socklen_t bytes = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
  return error;
}

}  // namespace

Client::Client(const Schedule& schedule, const sockaddr_in& server, embedded::StopSignals& stop)
    : schedule_(schedule),
      server_(server),
      stop_(stop),
      origin_ns_(embedded::monotonic_ns()),
      since_ns_(unix_ns()),
      flows_(schedule.starts_us.size()) {
  events_.add(timer_.fd(), EPOLLIN, timer_tag);
  events_.add(stop_.fd(), EPOLLIN, stop_tag);
}

void Client::run() {
  start_due_flows();
  while (ended_ < flows_.size()) {
    for (const epoll_event& event : events_.wait()) {
      if (event.data.u32 == stop_tag) {
        return;
      }
      if (event.data.u32 == timer_tag) {
        start_due_flows();
      } else {
        handle(event.data.u32);
      }
    }
  }
}

void Client::start_due_flows() {
  const auto due_ns = [this] { return origin_ns_ + schedule_.starts_us[next_] * 1000; };
  while (next_ < flows_.size() && due_ns() <= embedded::monotonic_ns()) {
    start(next_++);
  }
  timer_.set(next_ < flows_.size() ? due_ns() : std::numeric_limits<std::int64_t>::max());
}

void Client::start(std::uint32_t number) {
  Flow& flow = flows_[number];
  flow.socket = tcp_socket();
  sockaddr_in local{};
  local.sin_family = AF_INET;
  local.sin_port = htons(static_cast<std::uint16_t>(first_port + number));
  bind_to(flow.socket, local);
  flow.started_ns = unix_ns();
  if (connect(flow.socket.fd(), reinterpret_cast<const sockaddr*>(&server_), sizeof server_) != 0 &&
      errno != EINPROGRESS) {
    end_broken(flow, errno);
    return;
  }
  events_.add(flow.socket.fd(), EPOLLOUT, number);
}

void Client::handle(std::uint32_t number) {
  if (flows_[number].connected_ns == 0) {
    request(number);
  } else {
    receive(number);
  }
}

void Client::request(std::uint32_t number) {
  Flow& flow = flows_[number];
  const std::int64_t now_ns = unix_ns();
  if (const int error = pending_error(flow.socket.fd())) {
    end_broken(flow, error);
    return;
  }
  flow.connected_ns = now_ns;
  const RequestMessage message =
      encode({number, schedule_.sizes_bytes[number], schedule_.rate_limit_bytes_per_s});
  // The send buffer of a new connection holds the whole message.
  if (send(flow.socket.fd(), message.data(), message.size(), MSG_NOSIGNAL) < 0) {
    end_broken(flow, errno);
    return;
  }
  events_.change(flow.socket.fd(), EPOLLIN, number);
}

void Client::receive(std::uint32_t number) {
  Flow& flow = flows_[number];
  const std::uint64_t size_bytes = schedule_.sizes_bytes[number];
  // MSG_TRUNC drops what has arrived (tcp(7)). The kernel's own time of arrival (SO_TIMESTAMPNS) is no help: it is
  // that of the last byte in sequence, which may have come before one that was lost and sent again.
  const ssize_t bytes = recv(flow.socket.fd(), nullptr, read_bytes, MSG_TRUNC);
  const std::int64_t now_ns = unix_ns();
  if (bytes < 0 && errno == EAGAIN) {
    return;
  }
  if (bytes < 0) {
    end_broken(flow, errno);
  } else if (bytes == 0) {
    broken_ += flow.received_bytes < size_bytes;
    end(flow);
  } else {
    flow.received_bytes += static_cast<std::uint64_t>(bytes);
    if (flow.received_bytes > size_bytes) {
      throw std::runtime_error("the server sends more than was requested");
    }
    flow.first_ns = flow.first_ns == 0 ? now_ns : flow.first_ns;
    flow.last_ns = flow.received_bytes == size_bytes ? now_ns : 0;
  }
}

void Client::end(Flow& flow) {
  flow.socket.close();
  ++ended_;
}

void Client::end_broken(Flow& flow, int error) {
  if (!is_broken(error)) {
    throw std::runtime_error(embedded::system_message("a flow failed", error));
  }
  // A flow that has all its bytes is complete, however its connection ends.
  broken_ += flow.last_ns == 0;
  end(flow);
}

nlohmann::ordered_json Client::results() const {
  nlohmann::ordered_json found{{"since_ns", since_ns_}};
  const auto times = [&](const char* name, std::int64_t Flow::* time) {
    auto& list = found[name] = nlohmann::ordered_json::array();
    for (const Flow& flow : flows_) {
      const auto value = reached(flow.*time);
      list.push_back(value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json());
    }
  };
  times("started_ns", &Flow::started_ns);
  times("connected_ns", &Flow::connected_ns);
  times("first_ns", &Flow::first_ns);
  times("last_ns", &Flow::last_ns);
  auto& received = found["received_bytes"] = nlohmann::ordered_json::array();
  for (const Flow& flow : flows_) {
    received.push_back(flow.received_bytes);
  }
  found["broken"] = broken_;
  return found;
}

}  // namespace flows
