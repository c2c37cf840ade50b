// What the kernel says of a process that asked for real time. Each is a process of its own.
#include "host.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int deadline = 6;
constexpr int refused = 100;
constexpr uid_t nobody = 65534;

// The policy of a process that asked; `refused` if it was told no. A deadline needs every processor.
int policy_of(uid_t user, bool pinned) {
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    const rlimit none{0, 0};
    if ((pinned && sched_setaffinity(0, sizeof(first), &first) != 0) || setrlimit(RLIMIT_RTPRIO, &none) != 0 ||
        setuid(user) != 0) {
      _exit(refused + 1);
    }
    const bool granted = embedded::request_realtime();
    _exit(granted ? sched_getscheduler(0) : refused);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Host, GivesADeadlineElseAPriorityElseNothing) {
  if (geteuid() != 0 || sysconf(_SC_NPROCESSORS_ONLN) < 2) {
    GTEST_SKIP() << "needs root and two processors";
  }
  EXPECT_EQ(policy_of(0, false), deadline);
  EXPECT_EQ(policy_of(0, true), SCHED_FIFO);
  EXPECT_EQ(policy_of(nobody, false), refused);
}

}  // namespace
