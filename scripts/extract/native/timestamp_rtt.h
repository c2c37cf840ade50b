// Round-trip times from the timestamp option (RFC 7323, 4): the time from a packet of the near end, where the
// capture was made, to the first packet of the far end that echoes its timestamp.
//
// A sample is the RTT of the path plus the time in which the far end had nothing to send, which is short in a
// bulk download. The far end's own timestamps are not used: their echoes show only how long the near end delayed
// its acknowledgement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "segment.h"

namespace capture {

class TimestampRtt {
 public:
  // The largest number of timestamps without an echo, so that memory is limited. The oldest are dropped first.
  static constexpr std::size_t most = 4096;

  // Takes a packet of the near end.
  void sent(const Segment& segment);

  // Takes a packet of the far end.
  void received(const Segment& segment);

  std::uint64_t samples() const { return samples_; }
  std::int64_t least_ns() const { return least_ns_; }

  // In whole microseconds; of an even number of samples the lower of the two in the middle.
  std::int64_t median_ns() const;

 private:
  struct Sent {
    std::uint32_t timestamp;
    std::int64_t time_ns;
  };

  std::optional<std::uint32_t> newest_;
  std::vector<Sent> waiting_;  // valid from index `done_` on
  std::size_t done_ = 0;
  std::map<std::int64_t, std::uint32_t> counts_;  // number of samples by RTT in microseconds
  std::uint64_t samples_ = 0;
  std::int64_t least_ns_ = 0;
};

}  // namespace capture
