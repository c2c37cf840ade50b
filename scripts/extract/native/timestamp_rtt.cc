#include "timestamp_rtt.h"

#include <algorithm>

namespace capture {

void TimestampRtt::sent(const Segment& segment) {
  if (!segment.timestamp || (newest_ && !before(*newest_, *segment.timestamp))) {
    return;
  }
  newest_ = segment.timestamp;
  if (waiting_.size() == most) {
    done_ = std::max<std::size_t>(done_, most / 2);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done_));
    done_ = 0;
  }
  waiting_.push_back({*segment.timestamp, segment.time_ns});
}

void TimestampRtt::received(const Segment& segment) {
  if (!segment.timestamp || !segment.has(Segment::acknowledges)) {
    return;
  }
  while (done_ < waiting_.size() && before(waiting_[done_].timestamp, segment.timestamp_echo)) {
    ++done_;
  }
  if (done_ == waiting_.size() || waiting_[done_].timestamp != segment.timestamp_echo) {
    return;
  }
  const std::int64_t sample_ns = segment.time_ns - waiting_[done_++].time_ns;
  if (sample_ns < 0) {
    return;  // the clock of the capture was set back
  }
  least_ns_ = samples_ == 0 ? sample_ns : std::min(least_ns_, sample_ns);
  ++counts_[sample_ns / 1000];
  ++samples_;
}

std::int64_t TimestampRtt::median_ns() const {
  std::uint64_t seen = 0;
  for (const auto& [microseconds, count] : counts_) {
    seen += count;
    if (2 * seen >= samples_) {
      return microseconds * 1000;
    }
  }
  return 0;
}

}  // namespace capture
