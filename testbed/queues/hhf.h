// HHF, the heavy-hitter filter (Linux' `hhf`; Zapletal and Kuipers 2023, section 4). The packets of heavy
// hitters (heavy_hitters.h) wait in one bucket and all others in a second one. The buckets share the link by
// weighted deficit round robin. A bucket of others that was empty before is served ahead of the heavy hitters,
// until it has used up its quantum. When the limit is exceeded, the oldest packet of a heavy hitter is
// dropped; if there is none, the oldest of the others.
//
// The packets of one flow can be reordered once, when the flow becomes a heavy hitter or no longer is one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "discipline.h"
#include "fifo.h"
#include "heavy_hitters.h"
#include "limit.h"
#include "option.h"
#include "ring.h"

namespace queues {

struct HhfParameters {
  HeavyHitterParameters heavy_hitters{};
  std::int64_t non_hh_weight = 2;  // quanta a round of the others, for one of the heavy hitters
  std::int64_t quantum_bytes = 1514;

  std::vector<Option> options() {
    return {{"admit_bytes", &heavy_hitters.admit_bytes, 1, 1 << 30},
            {"reset_timeout_ns", &heavy_hitters.reset_timeout_ns, 1, day_ns},
            {"evict_timeout_ns", &heavy_hitters.evict_timeout_ns, 1, day_ns},
            {"hh_flows_limit", &heavy_hitters.hh_flows_limit, 1, 65536},
            {"non_hh_weight", &non_hh_weight, 1, 1024},
            {"quantum_bytes", &quantum_bytes, 64, 1 << 24}};
  }
};

class Hhf final : public Discipline {
 public:
  static constexpr std::string_view name = "hhf";
  using Parameters = HhfParameters;

  Hhf(Limit limit, const HhfParameters& parameters, std::uint64_t seed)
      : limit_(limit), heavy_hitters_(parameters.heavy_hitters, seed) {
    buckets_[heavy].quantum_bytes = parameters.quantum_bytes;
    buckets_[others].quantum_bytes = parameters.non_hh_weight * parameters.quantum_bytes;
  }

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t now_ns) override {
    dropped_.clear();
    const Kind kind = heavy_hitters_.contain(packet, now_ns) ? heavy : others;
    Bucket& bucket = buckets_[kind];
    bucket.queue.push(packet);
    if (!bucket.listed) {
      bucket.listed = true;
      bucket.credits = bucket.quantum_bytes;
      (kind == heavy ? old_ : new_).push(kind);
    }
    while (!limit_.holds(packets(), bytes())) {
      Bucket& losing = buckets_[buckets_[heavy].queue.empty() ? others : heavy];
      dropped_.push_back({losing.queue.pop(), Verdict::dropped_tail});
    }
    return dropped_;
  }

  Dequeued dequeue(std::int64_t /*now_ns*/) override {
    while (!new_.empty() || !old_.empty()) {
      const bool is_new = !new_.empty();
      Ring<Kind>& list = is_new ? new_ : old_;
      Bucket& bucket = buckets_[list.front()];
      if (bucket.credits <= 0) {
        bucket.credits += bucket.quantum_bytes;
        old_.push(list.pop());
      } else if (!bucket.queue.empty()) {
        bucket.credits -= bucket.queue.front().frame_bytes;
        return {{}, Decision{bucket.queue.pop(), Verdict::forwarded}};
      } else if (is_new && !old_.empty()) {
        old_.push(list.pop());  // so that being empty for a moment gains it no second turn ahead of the others
      } else {
        bucket.listed = false;
        list.pop();
      }
    }
    return {};
  }

  std::size_t packets() const override {
    return buckets_[heavy].queue.packets() + buckets_[others].queue.packets();
  }
  std::uint64_t bytes() const override {
    return buckets_[heavy].queue.bytes() + buckets_[others].queue.bytes();
  }

 private:
  enum Kind : std::size_t { heavy, others };

  struct Bucket {
    Fifo queue;
    std::int64_t quantum_bytes = 0;  // its own: the quantum times its weight
    std::int64_t credits = 0;
    bool listed = false;
  };

  Limit limit_;
  HeavyHitters heavy_hitters_;
  std::array<Bucket, 2> buckets_;
  Ring<Kind> new_;  // which buckets are served, and in which order: first the new, then the old
  Ring<Kind> old_;
  std::vector<Decision> dropped_;
};

}  // namespace queues
