// The event loop: wait, read, advance, deliver.
#include "switch.h"

#include <algorithm>
#include <utility>

#include "clock.h"
#include "frame.h"

namespace embedded {
namespace {

constexpr std::int64_t longest_drain_ns = 10'000'000'000;
// The most frames read from one TAP, and the most deliveries, before others get their turn.
constexpr int read_batch = 32;
constexpr int delivery_batch = 128;
// Frames due within this time are delivered together with those due now. On a virtual machine a sleep costs
// more than the rest of a packet's processing, and wake-ups are late by half of this time in any case.
constexpr std::int64_t early_ns = 50'000;
// The switch wakes at least this often. A stall therefore shows even if no delivery was due during it and
// frames only waited in a TAP; it is then found to be shorter by this time at most.
constexpr std::int64_t look_every_ns = 2'000'000;

// The tags of readable files: three for control, then each client's two TAPs, the client's side first.
constexpr std::uint32_t stop_tag = 0;
constexpr std::uint32_t log_tag = 1;
constexpr std::uint32_t timer_tag = 2;
constexpr std::uint32_t first_tap_tag = 3;

}  // namespace

Switch::Switch(const Config& config, std::vector<ClientTaps> taps, StopSignals& stop, QueueLog* log,
               std::int64_t epoch_offset_ns)
    : taps_(std::move(taps)),
      stop_(stop),
      log_(log),
      epoch_offset_ns_(epoch_offset_ns),
      salt_(config.seed),
      dumbbell_(config),
      lateness_(monotonic_ns()) {
  readiness_.add(stop_.fd(), stop_tag);
  if (log_) {
    readiness_.add(log_->failure_fd(), log_tag);
  }
  readiness_.add(timer_.fd(), timer_tag);
  std::uint32_t tag = first_tap_tag;
  for (const ClientTaps& pair : taps_) {
    readiness_.add(pair.client.fd(), tag++);
    readiness_.add(pair.service.fd(), tag++);
  }
}

void Switch::run() {
  next_look_ns_ = monotonic_ns() + look_every_ns;
  while (!finished(monotonic_ns())) {
    const auto ready = wait();
    look(monotonic_ns());
    handle(ready);
    process(dumbbell_.advance(monotonic_ns()));
    deliver();
  }
  dumbbell_.abandon(monotonic_ns());
}

bool Switch::finished(std::int64_t now_ns) const {
  return draining_ && (dumbbell_.empty() || now_ns >= drain_until_ns_);
}

std::span<const epoll_event> Switch::wait() {
  const std::int64_t wake_ns = std::min({dumbbell_.wake_ns(), next_look_ns_, drain_until_ns_});
  const bool late = wake_ns <= monotonic_ns();
  if (!late) {
    timer_.set(wake_ns);
  }
  return readiness_.wait(!late);
}

void Switch::look(std::int64_t now_ns) {
  if (now_ns >= next_look_ns_) {
    lateness_.looked(now_ns, next_look_ns_);
    next_look_ns_ = now_ns + look_every_ns;
  }
}

void Switch::handle(std::span<const epoll_event> ready) {
  for (const epoll_event& event : ready) {
    const std::uint32_t tag = event.data.u32;
    if (tag == stop_tag && stop_.arrived()) {
      begin_to_drain();
    } else if (tag == log_tag) {
      log_->check();
    } else if (tag >= first_tap_tag && !draining_) {
      const auto client = static_cast<std::uint16_t>((tag - first_tap_tag) / 2);
      if ((tag - first_tap_tag) % 2 == 0) {
        read_client(client);
      } else {
        read_service(client);
      }
    }
  }
}

void Switch::begin_to_drain() {
  if (draining_) {
    return;
  }
  draining_ = true;
  drain_until_ns_ = monotonic_ns() + longest_drain_ns;
  for (const ClientTaps& pair : taps_) {
    readiness_.remove(pair.client.fd());
    readiness_.remove(pair.service.fd());
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
    const FrameFacts facts = parse_frame(bytes.first(size), salt_);
    queues::Packet packet;
    packet.handle = buffer;
    packet.client = client;
    packet.flow = flows_.number(client, facts.flow);
    packet.flow_hash = facts.flow_hash + client;  // clients may share addresses
    packet.ecn_capable = facts.ecn_capable;
    packet.tcp_seq = facts.tcp_seq;
    packet.frame_bytes = size;
    packet.ip_bytes = facts.ip_bytes;
    process(dumbbell_.arrive_down(packet, monotonic_ns()));
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

void Switch::process(std::span<const queues::Outcome> outcomes) {
  for (const queues::Outcome& outcome : outcomes) {
    if (log_) {
      log_->add(make_record(outcome, epoch_offset_ns_));
    }
    if (queues::is_drop(outcome.verdict)) {
      pool_.give_back(outcome.packet.handle);
    } else if (outcome.verdict == queues::Verdict::marked) {
      mark_congestion(pool_.bytes(outcome.packet.handle).first(outcome.packet.frame_bytes));
    }
  }
}

void Switch::deliver() {
  for (int count = 0; count < delivery_batch; ++count) {
    const std::int64_t now_ns = monotonic_ns();
    const auto frame = dumbbell_.take_due(now_ns + early_ns);
    if (!frame) {
      return;
    }
    const auto [buffer, size, due_ns] = frame->delivery;
    ClientTaps& taps = taps_[frame->client];
    Tap& tap = frame->direction == Direction::down ? taps.client : taps.service;
    const bool written = tap.write(pool_.bytes(buffer).first(size));
    write_errors_ += written ? 0 : 1;
    lateness_.delivered(now_ns, due_ns);
    earliness_.add(due_ns - now_ns);
    dumbbell_.delivered(*frame, written);
    pool_.give_back(buffer);
  }
}

}  // namespace embedded
