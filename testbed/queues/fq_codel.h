// FQ-CoDel (RFC 8290): flows hashed onto queues, each under CoDel, served in turn by bytes (deficit round
// robin). A queue that begins to be used is served before those that have been in use.
// When all together hold too much, the fattest queue loses half its packets from its head, 64 at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codel_queue.h"
#include "discipline.h"
#include "limit.h"
#include "ring.h"

namespace queues {

struct FqCodelParameters {
  CodelParameters codel{};
  std::uint32_t queues = 1024;
  std::uint32_t quantum_bytes = 1514;
};

class FqCodel final : public Discipline {
 public:
  FqCodel(Limit limit, const FqCodelParameters& parameters, std::uint64_t seed)
      : limit_(limit),
        quantum_bytes_(parameters.quantum_bytes),
        seed_(seed),
        queues_(parameters.queues, FlowQueue(parameters.codel)) {}

  // RFC 8290, 4.1.
  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    dropped_.clear();
    const auto number = static_cast<std::uint32_t>(mixed(packet.flow_hash ^ seed_) % queues_.size());
    FlowQueue& queue = queues_[number];
    queue.packets.push(packet);
    count(packet);
    if (!queue.listed) {
      queue.listed = true;
      queue.credits = quantum_bytes_;
      new_.push(number);
    }
    while (!limit_.holds(packets_, bytes_)) {
      cut_fattest();
    }
    return dropped_;
  }

  // RFC 8290, 4.2.
  Dequeued dequeue(std::int64_t now_ns) override {
    dropped_.clear();
    while (!new_.empty() || !old_.empty()) {
      const bool is_new = !new_.empty();
      Ring<std::uint32_t>& list = is_new ? new_ : old_;
      FlowQueue& queue = queues_[list.front()];
      if (queue.credits <= 0) {
        queue.credits += quantum_bytes_;
        old_.push(list.pop());
      } else if (const auto delivered = take(queue, now_ns)) {
        queue.credits -= delivered->packet.frame_bytes;
        return {dropped_, delivered};
      } else if (is_new) {
        old_.push(list.pop());  // it does not come before the others again by being empty for a moment
      } else {
        queue.listed = false;
        list.pop();
      }
    }
    return {dropped_, std::nullopt};
  }

  std::size_t packets() const override { return packets_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  struct FlowQueue {
    explicit FlowQueue(const CodelParameters& parameters) : packets(parameters) {}

    CodelQueue packets;
    std::int64_t credits = 0;
    bool listed = false;
  };

  // A bijection whose every output bit depends on every input bit (the finish of MurmurHash3).
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD;
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53;
    return value ^ value >> 33;
  }

  std::optional<Decision> take(FlowQueue& queue, std::int64_t now_ns) {
    const std::size_t before = dropped_.size();
    const auto delivered = queue.packets.dequeue(now_ns, dropped_);
    for (std::size_t drop = before; drop < dropped_.size(); ++drop) {
      discount(dropped_[drop].packet);
    }
    if (delivered) {
      discount(delivered->packet);
    }
    return delivered;
  }

  void cut_fattest() {
    CodelQueue& fattest =
        std::max_element(queues_.begin(), queues_.end(), [](const FlowQueue& one, const FlowQueue& other) {
          return one.packets.bytes() < other.packets.bytes();
        })->packets;
    const std::size_t cut = std::clamp<std::size_t>(fattest.packets() / 2, 1, 64);
    for (std::size_t packet = 0; packet < cut; ++packet) {
      dropped_.push_back({fattest.pop(), Verdict::dropped_tail});
      discount(dropped_.back().packet);
    }
  }

  void count(const Packet& packet) {
    ++packets_;
    bytes_ += packet.frame_bytes;
  }
  void discount(const Packet& packet) {
    --packets_;
    bytes_ -= packet.frame_bytes;
  }

  Limit limit_;
  std::int64_t quantum_bytes_;
  std::uint64_t seed_;
  std::vector<FlowQueue> queues_;
  Ring<std::uint32_t> new_;  // numbers of queues, in the order in which they are served
  Ring<std::uint32_t> old_;
  std::size_t packets_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Decision> dropped_;
};

}  // namespace queues
