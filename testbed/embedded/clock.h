// The switch's clock: it schedules on CLOCK_MONOTONIC and writes files in ns since the Unix epoch.
#pragma once

#include <cstdint>

namespace embedded {

std::int64_t monotonic_ns();

// CPU time of all threads of this process so far.
std::int64_t cpu_ns();

// CLOCK_REALTIME - CLOCK_MONOTONIC: the tightest of many readings of one clock between two of the other.
std::int64_t epoch_offset_ns();

}  // namespace embedded
