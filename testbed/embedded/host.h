// Settings of the switch's process: it ends with its parent, and the kernel wakes it on time.
#pragma once

namespace embedded {

// The kernel kills this process when the thread that started it ends.
void die_with_parent();

// Requests timers with nanosecond slack, locked memory and real time for the calling thread. The switch runs
// without those that the host refuses. Returns whether real time was granted.
//
// It is SCHED_DEADLINE (sched(7)), for which the host asks for root. Else it is SCHED_FIFO. Linux gives
// ordinary work that waits behind programs in real time up to 50 ms of a second; a task with a deadline comes
// before that, one with a priority does not.
bool request_realtime();

}  // namespace embedded
