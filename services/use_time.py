"""The time for which a driver uses its service."""

import math
import time
from pathlib import Path

SHARED = "shared"
"""A folder within a driver's folder. The testbed and a self-hosted service write it; clients only read it."""

FINISH = "finish"
"""The name of the file that the testbed creates in SHARED to end the time of a client early."""

POLL_S = 0.2


class UseTime:
    """The time from now on for `seconds`, or until the testbed creates the file FINISH in SHARED."""

    def __init__(self, seconds: float, directory: Path) -> None:
        self._end = time.monotonic() + seconds
        self._finish = directory / SHARED / FINISH

    @property
    def finish_asked(self) -> bool:
        """Whether the testbed ended the time early."""
        return self._finish.exists()

    @property
    def left_s(self) -> float:
        """What is left of the time, s; 0 once it is over."""
        return 0.0 if self.finish_asked else max(0.0, self._end - time.monotonic())

    def wait(self, seconds: float = math.inf) -> None:
        """Wait for `seconds`, but no longer than the time."""
        until = time.monotonic() + seconds
        while (remaining_s := min(self.left_s, until - time.monotonic())) > 0:
            time.sleep(min(POLL_S, remaining_s))
