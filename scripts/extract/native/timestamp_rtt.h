// Round-trip times by the timestamp option (RFC 7323, 4): from one end's packet to the first packet of the other
// end that echoes its timestamp, both as seen where the capture was made.
//
// The capture stands at the first end, so a sample is the path's time there and back, and how long the other
// end had nothing to send: little in a bulk download. The other end's timestamps tell nothing: the capture sees
// how long the first end waited with its acknowledgement, not the path.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "segment.h"

namespace capture {

class TimestampRtt {
 public:
  // More timestamps without an echo are not remembered, so that memory has an end; the oldest go first.
  static constexpr std::size_t most = 4096;

  // A packet of the end the capture stands at.
  void sent(const Segment& segment);

  // A packet of the other end.
  void received(const Segment& segment);

  std::uint64_t samples() const { return samples_; }
  std::int64_t least_ns() const { return least_ns_; }

  // To the microsecond; of an even number of samples the lower of the two in the middle.
  std::int64_t median_ns() const;

 private:
  struct Sent {
    std::uint32_t timestamp;
    std::int64_t time_ns;
  };

  std::optional<std::uint32_t> newest_;
  std::vector<Sent> waiting_;  // from `done_` on
  std::size_t done_ = 0;
  std::map<std::int64_t, std::uint32_t> counts_;  // of samples, by microseconds
  std::uint64_t samples_ = 0;
  std::int64_t least_ns_ = 0;
};

}  // namespace capture
