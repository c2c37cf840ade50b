#include "holes.h"

namespace capture {

void Holes::open(std::uint32_t begin, const Segment& segment) {
  // An old hole half the range of numbers away would seem to be ahead.
  while (!holes_.empty() && !before(holes_.front().begin, begin)) {
    holes_.erase(holes_.begin());
  }
  if (holes_.size() == most) {
    holes_.erase(holes_.begin());
  }
  holes_.push_back({begin, segment.seq, segment.time_ns, segment.timestamp});
}

std::optional<Hole> Holes::fill(const Segment& segment) {
  std::optional<Hole> first;
  for (std::size_t i = 0; i < holes_.size() && before(holes_[i].begin, segment.end());) {
    const Hole hole = holes_[i];
    if (!before(segment.seq, hole.end)) {
      ++i;
      continue;
    }
    first = first ? first : hole;
    Hole left = hole, right = hole;
    left.end = segment.seq;
    right.begin = segment.end();
    const auto place = holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(i));
    const bool some_left = before(left.begin, left.end), some_right = before(right.begin, right.end);
    const auto next = some_right ? holes_.insert(place, right) : place;
    if (some_left) {
      holes_.insert(next, left);
    }
    i += some_left + some_right;
  }
  return first;
}

}  // namespace capture
