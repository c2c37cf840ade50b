// RED (Floyd and Jacobson 1993): the moving average of the queue decides at arrival. Between a minimum and a
// maximum, packets are marked or dropped with a probability that grows to `probability`; with `gentle` (Floyd
// 2000) it goes on growing to 1 at twice the maximum, without it every packet is marked or dropped from the
// maximum on, as by Linux. The queue is measured in frame bytes, as by Linux' sch_red. A packet that can carry a
// mark is marked at any average, as by Linux without `harddrop`. Packets that arrive at a full queue are dropped.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "chance.h"
#include "discipline.h"
#include "limit.h"
#include "option.h"
#include "ring.h"

namespace queues {

// The defaults are those of the paper for frames of 1514 bytes. The plan states every option, with the defaults
// of Linux' `tc red`, which depend on queue and link (scripts/model/disciplines.py).
struct RedParameters {
  std::int64_t min_bytes = 5 * 1514;   // Floyd and Jacobson, 8: at least 5 packets
  std::int64_t max_bytes = 15 * 1514;  // Floyd 1997: three times the minimum
  double probability = 0.02;           // tc red; the paper's 1/50
  double weight = 0.002;               // of a new sample in the average: Floyd and Jacobson, 6
  std::int64_t packet_ns = 1'000'000;  // the link's time for an average packet; idle time counts in these
  bool gentle = true;
  bool ecn = false;

  std::vector<Option> options() {
    return {{"min_bytes", &min_bytes, 1, 1LL << 32}, {"max_bytes", &max_bytes, 2, 1LL << 32},
            {"probability", &probability, 0, 1},     {"weight", &weight, 0, 1},
            {"packet_ns", &packet_ns, 1, day_ns},    {"gentle", &gentle},
            {"ecn", &ecn}};
  }
};

class Red final : public Discipline {
 public:
  static constexpr std::string_view name = "red";
  using Parameters = RedParameters;

  Red(Limit limit, const RedParameters& parameters, std::uint64_t seed)
      : limit_(limit), parameters_(parameters), random_(seed) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t now_ns) override {
    update_average(now_ns);
    const bool congested = decide();
    const bool marked = congested && parameters_.ecn && packet.ecn_capable;
    if (congested && !marked) {
      dropped_ = {packet, Verdict::dropped_aqm};
      return {&dropped_, 1};
    }
    if (!limit_.holds(queue_.size() + 1, bytes_ + packet.frame_bytes)) {
      dropped_ = {packet, Verdict::dropped_tail};
      return {&dropped_, 1};
    }
    queue_.push({packet, marked ? Verdict::marked : Verdict::forwarded});
    bytes_ += packet.frame_bytes;
    return {};
  }

  // An idle link's first question begins the idle time.
  Dequeued dequeue(std::int64_t now_ns) override {
    if (queue_.empty()) {
      if (!idle_) {
        idle_ = true;
        idle_since_ns_ = now_ns;
      }
      return {};
    }
    const Decision delivered = queue_.pop();
    bytes_ -= delivered.packet.frame_bytes;
    return {{}, delivered};
  }

  std::size_t packets() const override { return queue_.size(); }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  // While idle the average ages as if whole average packets had found the queue empty.
  void update_average(std::int64_t now_ns) {
    if (idle_) {
      const std::int64_t missed = (now_ns - idle_since_ns_) / parameters_.packet_ns;
      average_ *= std::pow(1 - parameters_.weight, static_cast<double>(missed));
      idle_ = false;
    } else {
      average_ += parameters_.weight * (static_cast<double>(bytes_) - average_);
    }
  }

  // Whether this packet is marked or dropped: the paper's p_b, and p_a, which spaces the marks evenly.
  bool decide() {
    const double share = probability();
    if (share <= 0) {
      since_last_ = -1;
      return false;
    }
    ++since_last_;
    const double spaced = 1 - since_last_ * share;
    if (share < 1 && spaced > 0 && random_.next() >= share / spaced) {
      return false;
    }
    since_last_ = 0;
    return true;
  }

  double probability() const {
    const auto least = static_cast<double>(parameters_.min_bytes);
    const auto most = static_cast<double>(parameters_.max_bytes);
    if (average_ < least) {
      return 0;
    }
    if (average_ < most) {
      return parameters_.probability * (average_ - least) / (most - least);
    }
    if (!parameters_.gentle || average_ >= 2 * most) {
      return 1;
    }
    return parameters_.probability + (1 - parameters_.probability) * (average_ - most) / most;
  }

  Limit limit_;
  RedParameters parameters_;
  Uniform random_;
  Ring<Decision> queue_;
  std::uint64_t bytes_ = 0;
  double average_ = 0;     // bytes
  double since_last_ = -1;  // packets since the last mark or drop; -1 below the minimum
  bool idle_ = false;
  std::int64_t idle_since_ns_ = 0;
  Decision dropped_;
};

}  // namespace queues
