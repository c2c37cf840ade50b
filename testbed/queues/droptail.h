// Drop-tail: a first-in first-out queue of so many packets or bytes; who does not fit is dropped.
#pragma once

#include "discipline.h"
#include "fifo.h"
#include "limit.h"

namespace queues {

class DropTail final : public Discipline {
 public:
  explicit DropTail(Limit limit) : limit_(limit) {}

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
