// The access link of one service: a rate with a drop-tail queue of its own, a delay and random loss, all
// before the bottleneck (Corbel et al., V). The queue is first-in first-out and the rate constant, so the
// time at which a packet leaves the access link is known when it enters.
#pragma once

#include <cstdint>

#include "chance.h"
#include "link.h"
#include "ring.h"

namespace queues {

class Access {
 public:
  struct Passage {
    std::int64_t arrival_ns = 0;  // at the bottleneck; of a lost packet, when it would have arrived
    bool lost = false;
  };

  // An unlimited link never queues, whatever `queue_packets` is.
  Access(Link link, std::size_t queue_packets, std::int64_t delay_ns, Chance loss)
      : link_(link), queue_packets_(queue_packets), delay_ns_(delay_ns), loss_(loss) {}

  // `now_ns` must not decrease from call to call. The arrival times do not decrease either.
  Passage enter(std::uint32_t frame_bytes, std::int64_t now_ns) {
    while (!departures_.empty() && departures_.front() <= now_ns) {
      departures_.pop();
    }
    link_.idle_until(now_ns);
    const std::int64_t departure_ns = link_.free_ns();
    if (departure_ns > now_ns) {
      if (departures_.size() >= queue_packets_) {
        return {departure_ns + delay_ns_, true};
      }
      departures_.push(departure_ns);
    }
    return {link_.send(frame_bytes) + delay_ns_, loss_.happens()};
  }

 private:
  Link link_;
  std::size_t queue_packets_;
  std::int64_t delay_ns_;
  Chance loss_;
  Ring<std::int64_t> departures_;  // of the packets in the queue
};

}  // namespace queues
