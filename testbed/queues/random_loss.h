// Random loss before a queue: every packet has the same probability of loss, whatever the queue holds.
#pragma once

#include <memory>
#include <utility>

#include "chance.h"
#include "discipline.h"

namespace queues {

class RandomLoss final : public Discipline {
 public:
  RandomLoss(std::unique_ptr<Discipline> queue, Chance loss) : queue_(std::move(queue)), loss_(loss) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t now_ns) override {
    if (loss_.happens()) {
      lost_ = {packet, Verdict::dropped_random};
      return {&lost_, 1};
    }
    return queue_->enqueue(packet, now_ns);
  }

  Dequeued dequeue(std::int64_t now_ns) override { return queue_->dequeue(now_ns); }
  std::size_t packets() const override { return queue_->packets(); }
  std::uint64_t bytes() const override { return queue_->bytes(); }

 private:
  std::unique_ptr<Discipline> queue_;
  Chance loss_;
  Decision lost_;
};

}  // namespace queues
