// One queue under CoDel's control (RFC 8289, section 5). CoDel has one such queue, FQ-CoDel has many.
// CoDel decides at dequeue, by the time that the packet at the head has spent in the queue. This code differs
// from the RFC's pseudocode in two points:
// - With ECN, a packet that can carry the mark is marked and delivered instead of dropped.
// - "Not above the target" is a state of its own. The pseudocode expresses it by the time 0, at which a
//   virtual clock may start.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "fifo.h"
#include "option.h"

namespace queues {

struct CodelParameters {
  std::int64_t target_ns = 5'000'000;
  std::int64_t interval_ns = 100'000'000;
  bool ecn = false;

  std::vector<Option> options() {
    return {{"target_ns", &target_ns, 1, day_ns}, {"interval_ns", &interval_ns, 1, day_ns}, {"ecn", &ecn}};
  }
};

class CodelQueue {
 public:
  // No packet is dropped while at most this much is queued behind it: one full Ethernet frame.
  static constexpr std::uint64_t full_frame_bytes = 1514;

  explicit CodelQueue(const CodelParameters& parameters) : parameters_(parameters) {}

  void push(const Packet& packet) { fifo_.push(packet); }

  // Takes the packet at the head, whatever its time in the queue. The queue must not be empty.
  Packet pop() { return fifo_.pop(); }

  // Returns the packet to deliver, if one is left. Adds the packets dropped before it to `dropped`, in order.
  std::optional<Decision> dequeue(std::int64_t now_ns, std::vector<Decision>& dropped) {
    Head head = take(now_ns);
    if (dropping_) {
      dropping_ = head.may_drop;
      while (dropping_ && now_ns >= drop_next_ns_) {
        ++count_;
        if (mark(head)) {
          drop_next_ns_ = control_law(drop_next_ns_);
          break;
        }
        dropped.push_back({*head.packet, Verdict::dropped_aqm});
        head = take(now_ns);
        dropping_ = head.may_drop;
        if (dropping_) {
          drop_next_ns_ = control_law(drop_next_ns_);
        }
      }
    } else if (head.may_drop) {
      if (!mark(head)) {
        dropped.push_back({*head.packet, Verdict::dropped_aqm});
        head = take(now_ns);
      }
      begin_dropping(now_ns);
    }
    return head.packet ? std::optional(Decision{*head.packet, head.verdict}) : std::nullopt;
  }

  bool empty() const { return fifo_.empty(); }
  std::size_t packets() const { return fifo_.packets(); }
  std::uint64_t bytes() const { return fifo_.bytes(); }

 private:
  struct Head {
    std::optional<Packet> packet;
    bool may_drop = false;
    Verdict verdict = Verdict::forwarded;
  };

  // The RFC's dodequeue: takes the packet at the head, with whether the sojourn time has been above the
  // target for a whole interval.
  Head take(std::int64_t now_ns) {
    if (fifo_.empty()) {
      first_above_ns_.reset();
      return {};
    }
    const Packet packet = fifo_.pop();
    if (now_ns - packet.arrival_ns < parameters_.target_ns || fifo_.bytes() <= full_frame_bytes) {
      first_above_ns_.reset();
      return {packet};
    }
    if (!first_above_ns_) {
      first_above_ns_ = now_ns + parameters_.interval_ns;
      return {packet};
    }
    return {packet, now_ns >= *first_above_ns_};
  }

  bool mark(Head& head) const {
    if (!parameters_.ecn || !head.packet->ecn_capable) {
      return false;
    }
    head.verdict = Verdict::marked;
    return true;
  }

  // Dropping that restarts soon after it ended continues at nearly the drop rate it had reached.
  void begin_dropping(std::int64_t now_ns) {
    dropping_ = true;
    const std::uint32_t grown = count_ - count_at_begin_;
    const bool recent = now_ns - drop_next_ns_ < 16 * parameters_.interval_ns;
    count_ = grown > 1 && recent ? grown : 1;
    count_at_begin_ = count_;
    drop_next_ns_ = control_law(now_ns);
  }

  std::int64_t control_law(std::int64_t from_ns) const {
    const double step_ns = static_cast<double>(parameters_.interval_ns) / std::sqrt(count_);
    return from_ns + static_cast<std::int64_t>(step_ns);
  }

  CodelParameters parameters_;
  Fifo fifo_;
  bool dropping_ = false;
  // When the sojourn time will have been above the target for a whole interval.
  std::optional<std::int64_t> first_above_ns_;
  std::int64_t drop_next_ns_ = 0;
  std::uint32_t count_ = 0;           // drops since dropping began
  std::uint32_t count_at_begin_ = 0;  // the RFC's lastcount
};

}  // namespace queues
