"""Hosts whose runs are killed between two steps: nothing is cleaned up, as after `kill -9`."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

KILLED, ENDED = 137, 0


class Killed:
    """With a host (tests/operate/fake_actions.py): its run is killed at seam `last`, if any."""

    last: int | None = None

    def seam(self, name: str) -> None:
        super().seam(name)  # type: ignore[misc]
        if len(self.calls) == self.last:  # type: ignore[attr-defined]
            os._exit(KILLED)


def killed(host: Callable[[Path, int], Any], folder: Path, seam: int) -> bool:
    """Whether the run of a host is killed at this seam, in a process of its own; if not, it ended well."""
    pid = os.fork()
    if pid == 0:
        os._exit(host(folder, seam).run())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (ENDED, KILLED)
    return status == KILLED
