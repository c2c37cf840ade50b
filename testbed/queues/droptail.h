// Drop-tail: a first-in first-out queue of so many packets; who finds it full is dropped.
#pragma once

#include "discipline.h"
#include "ring.h"

namespace queues {

class DropTail final : public Discipline {
 public:
  explicit DropTail(std::size_t limit_packets) : limit_packets_(limit_packets) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    if (queue_.size() >= limit_packets_) {
      dropped_ = {packet, Verdict::dropped_tail};
      return {&dropped_, 1};
    }
    queue_.push(packet);
    bytes_ += packet.frame_bytes;
    return {};
  }

  Dequeued dequeue(std::int64_t /*now_ns*/) override {
    if (queue_.empty()) {
      return {};
    }
    const Packet packet = queue_.pop();
    bytes_ -= packet.frame_bytes;
    return {{}, Decision{packet, Verdict::forwarded}};
  }

  std::size_t packets() const override { return queue_.size(); }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  std::size_t limit_packets_;
  Ring<Packet> queue_;
  std::uint64_t bytes_ = 0;
  Decision dropped_;
};

}  // namespace queues
