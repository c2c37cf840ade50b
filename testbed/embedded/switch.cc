// The event loop of switch.h: wait, read, advance, deliver.
#include "switch.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "clock.h"
#include "errors.h"
#include "frame.h"

namespace embedded {
namespace {

constexpr std::int64_t longest_drain_ns = 10'000'000'000;
// Frames taken from one TAP, and deliveries made, before the others get their turn.
constexpr int read_batch = 32;
constexpr int delivery_batch = 128;

// Places in the list of what is polled: three for control, then client and service of each client in turn.
constexpr std::size_t stop_place = 0;
constexpr std::size_t log_place = 1;
constexpr std::size_t first_tap_place = 3;

}  // namespace

Switch::Switch(const Config& config, std::vector<ClientTaps> taps, StopSignals& stop, QueueLog* log,
               std::int64_t epoch_offset_ns)
    : taps_(std::move(taps)), stop_(stop), log_(log), epoch_offset_ns_(epoch_offset_ns), dumbbell_(config) {
  polled_.push_back({stop_.fd(), POLLIN, 0});
  polled_.push_back({log_ ? log_->failure_fd() : -1, POLLIN, 0});  // poll passes over -1
  polled_.push_back({timer_.fd(), POLLIN, 0});
  for (const ClientTaps& pair : taps_) {
    polled_.push_back({pair.client.fd(), POLLIN, 0});
    polled_.push_back({pair.service.fd(), POLLIN, 0});
  }
}

void Switch::run() {
  while (!finished(monotonic_ns())) {
    wait();
    heed_stop();
    if (!draining_) {
      read_taps();
    }
    settle(dumbbell_.advance(monotonic_ns()));
    deliver();
  }
  dumbbell_.abandon(monotonic_ns());
}

bool Switch::finished(std::int64_t now_ns) const {
  return draining_ && (dumbbell_.empty() || now_ns >= drain_until_ns_);
}

void Switch::wait() {
  const std::int64_t wake_ns = std::min(dumbbell_.wake_ns(), drain_until_ns_);
  const bool late = wake_ns <= monotonic_ns();
  if (!late) {
    timer_.set(wake_ns);
  }
  if (poll(polled_.data(), polled_.size(), late ? 0 : -1) < 0 && errno != EINTR) {
    throw std::runtime_error(system_message("cannot wait for frames", errno));
  }
}

void Switch::heed_stop() {
  if (polled_[log_place].revents != 0) {
    log_->check();
  }
  if (polled_[stop_place].revents != 0 && stop_.arrived() && !draining_) {
    draining_ = true;
    drain_until_ns_ = monotonic_ns() + longest_drain_ns;
    polled_.resize(first_tap_place);
  }
}

void Switch::read_taps() {
  for (std::size_t client = 0; client < taps_.size(); ++client) {
    const std::size_t place = first_tap_place + 2 * client;
    if (polled_[place].revents != 0) {
      read_client(static_cast<std::uint16_t>(client));
    }
    if (polled_[place + 1].revents != 0) {
      read_service(static_cast<std::uint16_t>(client));
    }
  }
}

void Switch::read_service(std::uint16_t client) {
  for (int frame = 0; frame < read_batch; ++frame) {
    const std::uintptr_t buffer = pool_.take();
    const auto bytes = pool_.bytes(buffer);
    const auto size = static_cast<std::uint32_t>(taps_[client].service.read(bytes));
    if (size == 0) {
      pool_.give_back(buffer);
      return;
    }
    const FrameFacts facts = parse_frame(bytes.first(size));
    queues::Packet packet;
    packet.handle = buffer;
    packet.client = client;
    packet.flow = flows_.number(client, facts.flow);
    packet.tcp_seq = facts.tcp_seq;
    packet.frame_bytes = size;
    packet.ip_bytes = facts.ip_bytes;
    settle(dumbbell_.arrive_down(packet, monotonic_ns()));
  }
}

void Switch::read_client(std::uint16_t client) {
  for (int frame = 0; frame < read_batch; ++frame) {
    const std::uintptr_t buffer = pool_.take();
    const auto size = static_cast<std::uint32_t>(taps_[client].client.read(pool_.bytes(buffer)));
    if (size == 0) {
      pool_.give_back(buffer);
      return;
    }
    dumbbell_.arrive_up(client, buffer, size, monotonic_ns());
  }
}

void Switch::settle(std::span<const queues::Outcome> outcomes) {
  for (const queues::Outcome& outcome : outcomes) {
    if (log_) {
      log_->add(make_record(outcome, epoch_offset_ns_));
    }
    if (queues::is_drop(outcome.verdict)) {
      pool_.give_back(outcome.packet.handle);
    }
  }
}

void Switch::deliver() {
  for (int count = 0; count < delivery_batch; ++count) {
    const std::int64_t now_ns = monotonic_ns();
    const auto frame = dumbbell_.take_due(now_ns);
    if (!frame) {
      return;
    }
    const auto [buffer, size, due_ns] = frame->delivery;
    Tap& tap = frame->way == Way::down ? taps_[frame->client].client : taps_[frame->client].service;
    const bool written = tap.write(pool_.bytes(buffer).first(size));
    write_errors_ += written ? 0 : 1;
    lateness_.add(now_ns - due_ns);
    dumbbell_.delivered(*frame, written);
    pool_.give_back(buffer);
  }
}

}  // namespace embedded
