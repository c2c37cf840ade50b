// Reads the clocks with clock_gettime.
#include "clock.h"

#include <ctime>
#include <limits>

namespace embedded {
namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }

std::int64_t cpu_ns() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::int64_t epoch_offset_ns() {
  constexpr int readings = 256;
  std::int64_t offset = 0;
  std::int64_t tightest = std::numeric_limits<std::int64_t>::max();
  for (int reading = 0; reading < readings; ++reading) {
    const std::int64_t before = read_clock(CLOCK_MONOTONIC);
    const std::int64_t epoch = read_clock(CLOCK_REALTIME);
    const std::int64_t after = read_clock(CLOCK_MONOTONIC);
    if (after - before < tightest) {
      tightest = after - before;
      offset = epoch - (before + (after - before) / 2);
    }
  }
  return offset;
}

}  // namespace embedded
