// Drop-tail: a first-in first-out queue with a limit. Packets that do not fit are dropped.
#pragma once

#include <string_view>

#include "discipline.h"
#include "fifo.h"
#include "limit.h"
#include "option.h"

namespace queues {

class DropTail final : public Discipline {
 public:
  static constexpr std::string_view name = "droptail";
  using Parameters = NoOptions;

  explicit DropTail(Limit limit, const NoOptions& = {}, std::uint64_t /*seed*/ = 0) : limit_(limit) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    if (!limit_.holds(queue_.packets() + 1, queue_.bytes() + packet.frame_bytes)) {
      dropped_ = {packet, Verdict::dropped_tail};
      return {&dropped_, 1};
    }
    queue_.push(packet);
    return {};
  }

  Dequeued dequeue(std::int64_t /*now_ns*/) override {
    if (queue_.empty()) {
      return {};
    }
    return {{}, Decision{queue_.pop(), Verdict::forwarded}};
  }

  std::size_t packets() const override { return queue_.packets(); }
  std::uint64_t bytes() const override { return queue_.bytes(); }

 private:
  Limit limit_;
  Fifo queue_;
  Decision dropped_;
};

}  // namespace queues
