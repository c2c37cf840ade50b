"""The clock of a trial: ns since the Unix epoch, which a step of the host's clock does not move.

A virtual machine that stood still sets its clock forward. The rule clock_step_ms excludes such a trial, and
no client is blamed for the time that the machine lost.
"""

import time
from functools import cache


def now_ns() -> int:
    """The time now. A trial asks for it only after its switch, which watches for steps, has started."""
    return time.monotonic_ns() + _epoch_offset_ns()


@cache
def _epoch_offset_ns() -> int:
    """The difference of both clocks when the time was first asked for."""
    return time.time_ns() - time.monotonic_ns()
