// Packets in order of arrival, and the sum of their bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "packet.h"
#include "ring.h"

namespace queues {

class Fifo {
 public:
  bool empty() const { return packets_.empty(); }
  std::size_t packets() const { return packets_.size(); }
  std::uint64_t bytes() const { return bytes_; }  // frame bytes

  // The oldest packet. The queue must not be empty.
  const Packet& front() const { return packets_.front(); }

  void push(const Packet& packet) {
    packets_.push(packet);
    bytes_ += packet.frame_bytes;
  }

  // The queue must not be empty.
  Packet pop() {
    const Packet packet = packets_.pop();
    bytes_ -= packet.frame_bytes;
    return packet;
  }

 private:
  Ring<Packet> packets_;
  std::uint64_t bytes_ = 0;
};

}  // namespace queues
