"""A trial comes first on its host: the priority of its programs, processors that do not sleep, and how long
programs waited for one.

Programs of a trial run in real time (SCHED_RR), below the switch (embedded/host.cc), so that other work on
the host does not delay a sender. Clients come after senders and captures, as the many threads of a browser
take turns of 100 ms. A nice value would not do: with autogroups (sched(7)) it only counts within a session.
Without root it takes a limit of real-time priorities (RLIMIT_RTPRIO).
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.model.trial_record import TESTBED, ProgramTimes

PRIORITY, OF_CLIENTS = 2, 1
LATENCY = Path("/dev/cpu_dma_latency")
"""While a program has it open, no processor takes longer to wake up than the µs in it (Linux, PM QoS)."""
Task = tuple[str, str]
"""The ids of a process and of one of its threads."""


def come_first() -> bool:
    """Let this process, and those that it starts, run before all others. Returns whether it could."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    return True


def come_after_senders() -> None:
    """Let this process, a client of a trial that comes first, run after the senders."""
    if os.sched_getscheduler(0) == os.SCHED_RR:
        os.sched_setparam(0, os.sched_param(OF_CLIENTS))


def take_turns() -> None:
    """Let this process run as all others again."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def processors_awake(latency: Path = LATENCY) -> Iterator[bool]:
    """Let no processor sleep during the block. Yields whether the host allows it.

    A virtual processor that sleeps gives up its place on the real machine, and may get it back tens of ms
    later.
    """
    try:
        held = latency.open("wb", buffering=0)
    except OSError:
        yield False
        return
    with held:
        held.write(bytes(4))  # 0 µs. Closing takes it back, also after a SIGKILL.
        yield True


class RunDelays:
    """How long the programs in a PID namespace ran and waited since this was made, on each host.

    `hosts` has the files of the network namespaces, by name. A sample reads /proc/PID/task/TID/schedstat
    (Linux, Documentation/scheduler/sched-stats.rst). What a
    program does between the last sample and its end is not counted.
    """

    def __init__(self, hosts: Mapping[str, Path], proc: Path = Path("/proc")) -> None:
        self._hosts = {netns.stat().st_ino: name for name, netns in hosts.items()}
        self._proc = proc
        self._programs: dict[str, tuple[str, str]] = {}
        self._before = dict(self._read())
        self._last = dict(self._before)

    def sample(self) -> None:
        """Read the counters now."""
        self._last.update(self._read())

    def by_host(self) -> dict[str, dict[str, ProgramTimes]]:
        """The times of every program on every host, by the name of its file, after a last sample."""
        self.sample()
        ns: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for task, (run, waited) in self._last.items():
            run_before, waited_before = self._before.get(task, (0, 0))
            sums = ns[self._programs[task[0]]]
            sums[0] += run - run_before
            sums[1] += waited - waited_before
        found: dict[str, dict[str, ProgramTimes]] = {}
        for (host, program), (run, waited) in sorted(ns.items()):
            found.setdefault(host, {})[program] = ProgramTimes(run / 1e9, waited / 1e9)
        return found

    def _read(self) -> Iterator[tuple[Task, tuple[int, int]]]:
        """The nanoseconds that each thread ran and waited so far."""
        for process in sorted((name for name in os.listdir(self._proc) if name.isdecimal()), key=int):
            folder = self._proc / process
            with suppress(OSError):
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                of_parent = self._programs.get(parent, (TESTBED, ""))[0]
                host = self._hosts.get((folder / "ns/net").stat().st_ino, of_parent)
                self._programs[process] = host, os.readlink(folder / "exe").rpartition("/")[2]
                for thread in os.listdir(folder / "task"):
                    with suppress(OSError):
                        text = (folder / "task" / thread / "schedstat").read_text()
                        run, waited, _ = map(int, text.split())
                        yield (process, thread), (run, waited)
