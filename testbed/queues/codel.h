// CoDel (RFC 8289): one queue whose packets drop, or are marked, once they have stood too long for too long.
// Who finds it full is dropped at the tail.
#pragma once

#include <vector>

#include "codel_queue.h"
#include "discipline.h"
#include "limit.h"

namespace queues {

class Codel final : public Discipline {
 public:
  Codel(Limit limit, const CodelParameters& parameters) : limit_(limit), queue_(parameters) {}

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
    const auto delivered = queue_.dequeue(now_ns, dropped_);
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
