// The module ObservatoryClock.
#include "observatory_clock.h"

#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <thread>

#include "utils/time.h"

namespace {

constexpr std::int64_t least_span_ns = 1'000'000'000;

struct Reading {
  std::uint64_t cycles = 0;
  std::int64_t raw_ns = 0;
};

std::int64_t raw_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Both clocks at the same moment. The raw clock is read between two readings of the counter, many times; the
// result comes from the readings with the least time between them.
Reading read_both() {
  constexpr int readings = 256;
  Reading best;
  std::uint64_t tightest = std::numeric_limits<std::uint64_t>::max();
  for (int reading = 0; reading < readings; ++reading) {
    const std::uint64_t before = rdtsc();
    const std::int64_t raw = raw_ns();
    const std::uint64_t after = rdtsc();
    if (after - before < tightest) {
      tightest = after - before;
      best = {before + (after - before) / 2, raw};
    }
  }
  return best;
}

const Reading at_load = read_both();

}  // namespace

const Commands ObservatoryClock::cmds = {
    {"read", "StringValue", MODULE_CMD_FUNC(&ObservatoryClock::read), Command::THREAD_SAFE}};

CommandResponse ObservatoryClock::Init(const plugin::Json&) { return CommandSuccess(); }

CommandResponse ObservatoryClock::read(const plugin::Json&) {
  return plugin::guarded([] {
    const std::int64_t missing_ns = least_span_ns - (raw_ns() - at_load.raw_ns);
    if (missing_ns > 0) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(missing_ns));
    }
    const Reading now = read_both();
    const double seconds = static_cast<double>(now.raw_ns - at_load.raw_ns) / 1e9;
    return plugin::answer({{"version", std::string(SWITCH_VERSION)},
                           {"assumed_hz", tsc_hz},
                           {"measured_hz", static_cast<double>(now.cycles - at_load.cycles) / seconds},
                           {"measured_s", seconds}});
  });
}

ADD_MODULE(ObservatoryClock, "observatory_clock", "compares the daemon's clock with CLOCK_MONOTONIC_RAW")
