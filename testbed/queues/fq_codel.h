// FQ-CoDel (RFC 8290): flows are hashed onto queues. Each queue is under CoDel, and the queues share the link
// by deficit round robin. A queue that was empty before is served ahead of the others. When all queues
// together exceed the limit, the queue with the most bytes loses half its packets from its head, at most 64.
// With `as_linux` it decides as Linux' fq_codel (net/sched/sch_fq_codel.c): CoDel does so (codel_queue.h), that
// queue loses half its bytes, and a new queue that is found empty leaves at once if no other queue waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codel_queue.h"
#include "discipline.h"
#include "largest.h"
#include "limit.h"
#include "option.h"
#include "perturbation.h"
#include "ring.h"

namespace queues {

struct FqCodelParameters {
  CodelParameters codel{};
  std::int64_t queues = 1024;
  std::int64_t quantum_bytes = 1514;

  std::vector<Option> options() {
    std::vector<Option> all = codel.options();
    all.push_back({"queues", &queues, 1, 65536});
    all.push_back({"quantum_bytes", &quantum_bytes, 1, 1 << 24});
    return all;
  }
};

class FqCodel final : public Discipline {
 public:
  static constexpr std::string_view name = "fq_codel";
  using Parameters = FqCodelParameters;

  FqCodel(Limit limit, const FqCodelParameters& parameters, std::uint64_t seed)
      : limit_(limit),
        quantum_bytes_(parameters.quantum_bytes),
        as_linux_(parameters.codel.as_linux),
        seed_(seed),
        queues_(static_cast<std::size_t>(parameters.queues), FlowQueue(parameters.codel)),
        largest_(queues_.size()) {}

  // RFC 8290, 4.1.
  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    dropped_.clear();
    const auto number = static_cast<std::uint32_t>(perturbed(packet.flow_hash, seed_) % queues_.size());
    FlowQueue& queue = queues_[number];
    queue.packets.push(packet);
    add_to_totals(packet);
    largest_.set(number, queue.packets.bytes());
    if (!queue.listed) {
      queue.listed = true;
      queue.credits = quantum_bytes_;
      new_.push(number);
    }
    while (!limit_.holds(packets_, bytes_)) {
      drop_from_fattest();
    }
    return dropped_;
  }

  // RFC 8290, 4.2.
  Dequeued dequeue(std::int64_t now_ns) override {
    dropped_.clear();
    while (!new_.empty() || !old_.empty()) {
      const bool is_new = !new_.empty();
      Ring<std::uint32_t>& list = is_new ? new_ : old_;
      const std::uint32_t number = list.front();
      FlowQueue& queue = queues_[number];
      if (queue.credits <= 0) {
        queue.credits += quantum_bytes_;
        old_.push(list.pop());
      } else if (const auto delivered = take(number, now_ns)) {
        queue.credits -= delivered->packet.frame_bytes;
        return {dropped_, delivered};
      } else if (is_new && !(as_linux_ && old_.empty())) {
        old_.push(list.pop());  // so that it gains no second turn as a new queue by being empty for a moment
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

  std::optional<Decision> take(std::uint32_t number, std::int64_t now_ns) {
    CodelQueue& queue = queues_[number].packets;
    const std::size_t before = dropped_.size();
    const auto delivered = queue.dequeue(now_ns, bytes_ - queue.bytes(), dropped_);
    for (std::size_t drop = before; drop < dropped_.size(); ++drop) {
      subtract_from_totals(dropped_[drop].packet);
    }
    if (delivered) {
      subtract_from_totals(delivered->packet);
    }
    largest_.set(number, queue.bytes());
    return delivered;
  }

  void drop_from_fattest() {
    const std::uint32_t number = largest_.number();
    CodelQueue& fattest = queues_[number].packets;
    const std::size_t half_packets = fattest.packets() / 2;
    const std::uint64_t half_bytes = fattest.bytes() - fattest.bytes() / 2;
    std::uint32_t drops = 0;
    do {
      dropped_.push_back({fattest.pop(), Verdict::dropped_tail});
      subtract_from_totals(dropped_.back().packet);
      ++drops;
    } while (drops < most_drops && (as_linux_ ? fattest.bytes() > half_bytes : drops < half_packets));
    fattest.count_drops(drops);
    largest_.set(number, fattest.bytes());
  }

  void add_to_totals(const Packet& packet) {
    ++packets_;
    bytes_ += packet.frame_bytes;
  }
  void subtract_from_totals(const Packet& packet) {
    --packets_;
    bytes_ -= packet.frame_bytes;
  }

  static constexpr std::uint32_t most_drops = 64;

  Limit limit_;
  std::int64_t quantum_bytes_;
  bool as_linux_;
  std::uint64_t seed_;
  std::vector<FlowQueue> queues_;
  Largest largest_;
  Ring<std::uint32_t> new_;  // indices of queues, in the order in which they are served
  Ring<std::uint32_t> old_;
  std::size_t packets_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Decision> dropped_;
};

}  // namespace queues
