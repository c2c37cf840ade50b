// The system calls of host.h.
#include "host.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace embedded {

namespace {

// The argument of sched_setattr(2). Newer C libraries declare it, older ones do not.
//
// Of each millisecond the switch is sure of 400 us, so that four of them fit on two processors. It may take
// what no other deadline needs, up to what the kernel keeps for ordinary work.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 6;  // SCHED_DEADLINE
  std::uint64_t flags = 2;   // SCHED_FLAG_RECLAIM
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns = 400'000;
  std::uint64_t deadline_ns = 1'000'000;
  std::uint64_t period_ns = 1'000'000;
};

bool run_by_deadline() {
  const SchedulingAttributes attributes;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

bool run_by_priority() {
  sched_param priority{};
  priority.sched_priority = 50;
  return sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
}

}  // namespace

void die_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

bool request_realtime() {
  prctl(PR_SET_TIMERSLACK, 1);
  // MCL_FUTURE would make later allocations fail under a memlock limit.
  mlockall(MCL_CURRENT);
  return run_by_deadline() || run_by_priority();
}

}  // namespace embedded
