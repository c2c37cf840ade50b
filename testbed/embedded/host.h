// What the switch asks of its host: to die with its parent, to be woken on time.
#pragma once

namespace embedded {

// The kernel kills this process when the thread that started it ends.
void die_with_parent();

// For the calling thread: timers to the nanosecond, memory in use so far locked, a real-time priority.
// What the host refuses is gone without. Returns whether the priority was granted.
bool ask_for_punctuality();

}  // namespace embedded
