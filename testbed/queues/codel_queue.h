// One queue under CoDel's control (RFC 8289, section 5). CoDel has one such queue, FQ-CoDel has many.
// CoDel decides at dequeue, by the time that the packet at the head has spent in the queue. This code differs
// from the RFC's pseudocode in two points:
// - With ECN, a packet that can carry the mark is marked and delivered instead of dropped.
// - "Not above the target" is a state of its own. The pseudocode expresses it by the time 0, at which a
//   virtual clock may start.
// With `as_linux` it decides as Linux' codel and fq_codel (include/net/codel_impl.h), with times in ns instead of
// ticks of 1.024 us:
// - No packet is dropped while at most one full frame is left in the whole discipline, not in this queue.
// - The sojourn time must have been above the target for more than an interval, not for one.
// - 1/sqrt(count) follows the count by Newton steps (inverse_root.h).
// - A queue that is found empty ends dropping, but keeps the time since when the sojourn time was too long.
// - Packets that are dropped because the discipline is full count as drops.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "fifo.h"
#include "inverse_root.h"
#include "option.h"

namespace queues {

struct CodelParameters {
  std::int64_t target_ns = 5'000'000;
  std::int64_t interval_ns = 100'000'000;
  bool ecn = false;
  bool as_linux = false;

  std::vector<Option> options() {
    return {{"target_ns", &target_ns, 1, day_ns},
            {"interval_ns", &interval_ns, 1, day_ns},
            {"ecn", &ecn},
            {"as_linux", &as_linux}};
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

  // Notes packets that were popped because the discipline was full.
  void count_drops(std::uint32_t drops) {
    if (parameters_.as_linux) {
      count_ += drops;
    }
  }

  // Returns the packet to deliver, if one is left. Adds the packets dropped before it to `dropped`, in order.
  // `elsewhere_bytes` are those in the other queues of the discipline.
  std::optional<Decision> dequeue(std::int64_t now_ns, std::uint64_t elsewhere_bytes,
                                  std::vector<Decision>& dropped) {
    elsewhere_bytes_ = elsewhere_bytes;
    if (parameters_.as_linux && fifo_.empty()) {
      dropping_ = false;
      return std::nullopt;
    }
    Head head = take(now_ns);
    if (dropping_) {
      dropping_ = head.may_drop;
      while (dropping_ && now_ns >= drop_next_ns_) {
        ++count_;
        inverse_root_.follow(count_);
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
    const std::uint64_t left_bytes = fifo_.bytes() + (parameters_.as_linux ? elsewhere_bytes_ : 0);
    if (now_ns - packet.arrival_ns < parameters_.target_ns || left_bytes <= full_frame_bytes) {
      first_above_ns_.reset();
      return {packet};
    }
    if (!first_above_ns_) {
      first_above_ns_ = now_ns + parameters_.interval_ns;
      return {packet};
    }
    return {packet, now_ns >= *first_above_ns_ + (parameters_.as_linux ? 1 : 0)};
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
    if (grown > 1 && recent) {
      count_ = grown;
      inverse_root_.follow(count_);
    } else {
      count_ = 1;
      inverse_root_.restart();
    }
    count_at_begin_ = count_;
    drop_next_ns_ = control_law(now_ns);
  }

  std::int64_t control_law(std::int64_t from_ns) const {
    if (parameters_.as_linux) {
      return from_ns + inverse_root_.of(parameters_.interval_ns);
    }
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
  InverseRoot inverse_root_;          // of count_
  std::uint64_t elsewhere_bytes_ = 0;
};

}  // namespace queues
