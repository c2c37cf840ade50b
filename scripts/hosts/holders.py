"""Who holds a claim: a process of a host, perhaps in a job of Slurm."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.base.host import host_name

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
PROCESSES = Path("/proc/self/ns/pid")
JOB = "SLURM_JOB_ID"
"""Environment variable: the job of Slurm to which a process belongs."""

STARTED = 22
"""The field of /proc/<pid>/stat with the start of the process, in ticks since boot (proc(5))."""


@dataclass(frozen=True)
class Holder:
    """A process that holds a claim.

    Attributes:
        host: the name of its host.
        machine: the boot of the machine, and the namespace in which `pid` counts.
        pid: its id.
        started: its start, in ticks since boot. Another process may have its id later.
        job: its job of Slurm, if it is in one.
    """

    host: str
    machine: str
    pid: int
    started: int
    job: str | None = None

    @property
    def words(self) -> str:
        """The holder, as messages name it."""
        return f"{self.host}, " + (f"job {self.job}" if self.job else f"process {self.pid}")

    def is_gone(self) -> bool | None:
        """Whether the process has ended; None if that cannot be seen from here."""
        if self.machine != machine():
            return None
        return started(self.pid) != self.started


def this_process() -> Holder:
    """The process that calls this."""
    pid = os.getpid()
    start = started(pid)
    assert start is not None
    return Holder(host_name(), machine(), pid, start, os.environ.get(JOB))


@cache
def machine() -> str:
    """The boot of this machine, and the namespace of this process."""
    boot = BOOT_ID.read_text(encoding="ascii").strip() if BOOT_ID.exists() else "?"
    return f"{boot}/{os.stat(PROCESSES).st_ino}"


def started(pid: int) -> int | None:
    """When a process began, in ticks since boot; None if there is none, or only its exit status is left."""
    try:
        # The name of the program, in brackets, may contain anything.
        state, *fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(fields[STARTED - 4])
