// The system calls of host.h.
#include "host.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <csignal>

namespace embedded {

void die_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

bool request_realtime() {
  prctl(PR_SET_TIMERSLACK, 1);
  // MCL_FUTURE would make later allocations fail under a memlock limit.
  mlockall(MCL_CURRENT);
  sched_param priority{};
  priority.sched_priority = 50;
  return sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
}

}  // namespace embedded
