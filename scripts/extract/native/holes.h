// The gaps in one direction of a connection: sequence numbers that were skipped and have not arrived yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "segment.h"

namespace capture {

struct Hole {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int64_t opened_ns = 0;              // arrival of the segment that skipped it
  std::optional<std::uint32_t> timestamp;  // TSval of that segment
};

class Holes {
 public:
  // The largest number of holes, so that memory is limited. The oldest is dropped first.
  static constexpr std::size_t most = 1024;

  // `segment` arrived, and everything from `begin` up to it is missing.
  void open(std::uint32_t begin, const Segment& segment);

  // `segment` arrived late. Returns the first hole that it fills in part; none if all its bytes had arrived.
  std::optional<Hole> fill(const Segment& segment);

 private:
  std::vector<Hole> holes_;  // in the order of their sequence numbers
};

}  // namespace capture
