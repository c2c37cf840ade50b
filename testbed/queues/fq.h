// FQ: fair queueing by deficit round robin (Shreedhar and Varghese 1996). Every flow has a queue of its own.
// In its turn a flow may send one quantum of bytes, and what it could not use of its earlier turns. A packet
// that fits neither the limit of its flow nor the limit of all flows is dropped on arrival.
//
// This is the FQ of Zapletal and Kuipers 2023, section 4: flows separated at a router, each with at most 1/5 of
// the buffer. Linux' `fq`, with which they measured, differs in four points:
// - It paces the sockets of its own host. A router has none, and here pacing stays with the senders.
// - It serves a flow that was idle ahead of the others, with a larger first quantum. Here a flow waits one round.
// - Its quantum is two full frames, and a flow sends while any of it is left, so that the last packet may exceed
//   it. Here a packet waits until the quantum covers it.
// - It hashes flows onto buckets and remembers idle flows until it collects them. Here the queue of a flow is
//   found by the whole 64-bit hash of the flow, so that two of 10,000 flows share a queue with a probability of
//   about 3e-12. Which two depends on the trial's seed. A flow whose queue is empty is forgotten: there are never
//   more flows than packets.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "discipline.h"
#include "fifo.h"
#include "limit.h"
#include "option.h"
#include "ring.h"

namespace queues {

struct FqParameters {
  std::int64_t quantum_bytes = 1514;
  double flow_fraction = 0.2;  // of the limit: the most that one flow holds, but always one packet

  std::vector<Option> options() {
    return {{"quantum_bytes", &quantum_bytes, 64, 1 << 24},
            {"flow_fraction", &flow_fraction, 0, 1}};
  }
};

class Fq final : public Discipline {
 public:
  static constexpr std::string_view name = "fq";
  using Parameters = FqParameters;

  Fq(Limit limit, const FqParameters& parameters, std::uint64_t /*seed*/ = 0)
      : limit_(limit),
        flow_limit_(limit.part(parameters.flow_fraction)),
        quantum_bytes_(parameters.quantum_bytes) {}

  std::span<const Decision> enqueue(const Packet& packet, std::int64_t /*now_ns*/) override {
    if (!fits(packet)) {
      dropped_ = {packet, Verdict::dropped_tail};
      return {&dropped_, 1};
    }
    const auto [entry, is_new] = flows_.try_emplace(packet.flow_hash);
    if (is_new) {
      turns_.push(packet.flow_hash);
    }
    entry->second.queue.push(packet);
    ++packets_;
    bytes_ += packet.frame_bytes;
    return {};
  }

  Dequeued dequeue(std::int64_t /*now_ns*/) override {
    if (flows_.empty()) {
      return {};
    }
    while (!first_may_send()) {
      turns_.push(turns_.pop());
      in_turn_ = false;
    }
    return {{}, Decision{send_from_first(), Verdict::forwarded}};
  }

  std::size_t packets() const override { return packets_; }
  std::uint64_t bytes() const override { return bytes_; }
  std::size_t flows() const { return flows_.size(); }  // those that have packets

 private:
  struct Flow {
    Fifo queue;
    std::int64_t deficit_bytes = 0;  // what it may still send
  };

  bool fits(const Packet& packet) const {
    const auto found = flows_.find(packet.flow_hash);
    const bool fits_flow =
        found == flows_.end() ||
        flow_limit_.holds(found->second.queue.packets() + 1, found->second.queue.bytes() + packet.frame_bytes);
    return fits_flow && limit_.holds(packets_ + 1, bytes_ + packet.frame_bytes);
  }

  // Whether the flow whose turn it is may send its next packet. Begins its turn if it has not begun.
  bool first_may_send() {
    Flow& flow = flows_.at(turns_.front());
    if (!in_turn_) {
      in_turn_ = true;
      flow.deficit_bytes += quantum_bytes_;
    }
    return flow.queue.front().frame_bytes <= flow.deficit_bytes;
  }

  // A flow that has sent its last packet loses the rest of its quantum.
  Packet send_from_first() {
    const auto first = flows_.find(turns_.front());
    const Packet packet = first->second.queue.pop();
    first->second.deficit_bytes -= packet.frame_bytes;
    if (first->second.queue.empty()) {
      flows_.erase(first);
      turns_.pop();
      in_turn_ = false;
    }
    --packets_;
    bytes_ -= packet.frame_bytes;
    return packet;
  }

  Limit limit_;
  Limit flow_limit_;
  std::int64_t quantum_bytes_;
  std::unordered_map<std::uint64_t, Flow> flows_;  // those with packets, by flow hash
  Ring<std::uint64_t> turns_;                      // their hashes, in the order of their turns
  bool in_turn_ = false;                           // whether the first has begun its turn
  std::size_t packets_ = 0;
  std::uint64_t bytes_ = 0;
  Decision dropped_;
};

}  // namespace queues
