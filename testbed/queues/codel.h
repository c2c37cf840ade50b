// CoDel (RFC 8289): one queue that drops or marks packets while their time in the queue stays above a target.
// Packets that arrive at a full queue are dropped.
#pragma once

#include <string_view>
#include <vector>

#include "codel_queue.h"
#include "discipline.h"
#include "limit.h"

namespace queues {

class Codel final : public Discipline {
 public:
  static constexpr std::string_view name = "codel";
  using Parameters = CodelParameters;

  Codel(Limit limit, const CodelParameters& parameters, std::uint64_t /*seed*/ = 0)
      : limit_(limit), queue_(parameters) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    dropped_.clear();
    if (limit_.holds(queue_.packets() + 1, queue_.bytes() + packet.frame_bytes)) {
      queue_.push(packet);
    } else {
      dropped_.push_back({packet, Verdict::dropped_tail});
    }
    return dropped_;
  }

  Dequeued dequeue(std::int64_t now_ns) override {
    dropped_.clear();
    const auto delivered = queue_.dequeue(now_ns, 0, dropped_);
    return {dropped_, delivered};
  }

  std::size_t packets() const override { return queue_.packets(); }
  std::uint64_t bytes() const override { return queue_.bytes(); }

 private:
  Limit limit_;
  CodelQueue queue_;
  std::vector<Decision> dropped_;
};

}  // namespace queues
