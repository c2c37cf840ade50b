"""The processes of a run: finding them, killing all at once or one of them, waiting until none is left."""

import os
import random
import time
from contextlib import suppress

import psutil

GONE_WITHIN_S = 60


def processes_of(session: int) -> list[psutil.Process]:
    """Every process of a run, which is a session of its own."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.Error):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def kill_all(session: int) -> None:
    """Kill every process of a run, also those that it starts meanwhile."""
    while found := processes_of(session):
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        time.sleep(0.01)


def kill_one(session: int, draw: random.Random) -> str | None:
    """Kill one process of a run, and return what it was. Its program is drawn first, then the process."""
    named: dict[str, list[psutil.Process]] = {}
    for process in processes_of(session):
        with suppress(psutil.Error):
            named.setdefault(_name(process), []).append(process)
    if not named:
        return None
    name = draw.choice(sorted(named))
    with suppress(psutil.Error):
        draw.choice(named[name]).kill()
        return name
    return None


def wait_until_gone(session: int) -> None:
    """Wait until no process of a run is left.

    Raises:
        AssertionError: one outlives the run.
    """
    deadline = time.monotonic() + GONE_WITHIN_S
    while left := processes_of(session):
        assert time.monotonic() < deadline, f"these outlive their run: {[_name(one) for one in left]}"
        time.sleep(0.05)


def _name(process: psutil.Process) -> str:
    """What a process runs, such as `hugo` or `scripts.operate`."""
    words = process.cmdline()
    return words[2] if words[1:2] == ["-m"] else process.name()
