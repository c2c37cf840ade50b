// The clocks: the switch schedules on CLOCK_MONOTONIC and writes ns since the Unix epoch to files.
#pragma once

#include <cstdint>

namespace embedded {

std::int64_t monotonic_ns();

// CPU time of all threads of this process so far.
std::int64_t cpu_ns();

// CLOCK_REALTIME - CLOCK_MONOTONIC. One clock is read between two readings of the other, many times; the
// result comes from the pair of readings with the least time between them.
std::int64_t epoch_offset_ns();

}  // namespace embedded
