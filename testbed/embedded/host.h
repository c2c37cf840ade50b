// Settings of the switch's process: it ends with its parent, and the kernel wakes it on time.
#pragma once

namespace embedded {

// The kernel kills this process when the thread that started it ends.
void die_with_parent();

// Requests timers with nanosecond slack, locked memory and a real-time priority for the calling thread. The
// switch runs without those that the host refuses. Returns whether the real-time priority was granted.
bool request_realtime();

}  // namespace embedded
