// The gaps in one direction of a connection: what was jumped over and has not come yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "segment.h"

namespace capture {

struct Hole {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int64_t opened_ns = 0;              // when the segment came that jumped over it,
  std::optional<std::uint32_t> timestamp;  // and that segment's own time of sending
};

class Holes {
 public:
  // More are not remembered, so that memory has an end; the oldest goes first.
  static constexpr std::size_t most = 1024;

  // `segment` came with everything from `begin` up to it missing.
  void open(std::uint32_t begin, const Segment& segment);

  // `segment` came late: the first hole any byte of it was missing from; none if all had come before.
  std::optional<Hole> fill(const Segment& segment);

 private:
  std::vector<Hole> holes_;  // in the sequence's order
};

}  // namespace capture
