// Timer, with a timerfd.
#include "timer.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <stdexcept>

#include "errors.h"

namespace embedded {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

}  // namespace

Timer::Timer() : fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)), due_ns_(never) {
  if (fd_ < 0) {
    throw std::runtime_error(system_message("cannot make a timer", errno));
  }
}

Timer::~Timer() { close(fd_); }

void Timer::set(std::int64_t due_ns) {
  if (due_ns == due_ns_) {
    return;
  }
  due_ns_ = due_ns;
  itimerspec alarm{};  // all zero: disarmed
  if (due_ns != never) {
    alarm.it_value = {due_ns / 1'000'000'000, due_ns % 1'000'000'000};
  }
  timerfd_settime(fd_, TFD_TIMER_ABSTIME, &alarm, nullptr);
}

}  // namespace embedded
