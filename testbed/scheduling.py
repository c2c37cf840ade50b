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
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.model.trial_record import TESTBED, ProgramTimes

PRIORITY, OF_CLIENTS = 2, 1
LATENCY = Path("/dev/cpu_dma_latency")
"""While a program has it open, no processor takes longer to wake up than the µs in it (Linux, PM QoS)."""
Task = tuple[str, str]
"""The ids of a process and of one of its threads."""
TURN_NS = 100_000
"""A program may wait so long for each turn on a processor. On a virtual host 0.03 ms are usual, and a
program of QUIC takes a thousand turns a second."""


@dataclass(frozen=True)
class Times:
    """How long a thread ran and waited since its start, in ns, and its turns on a processor.

    Attributes:
        delayed: the part of the waits that is beyond TURN_NS a turn, in ns, sample by sample.
    """

    run: int
    waited: int
    turns: int
    delayed: int = 0

    def until(self, now: "Times") -> "Times":
        """The later times, with what the waits in between add to the delay."""
        delayed = now.waited - self.waited - TURN_NS * (now.turns - self.turns)
        return replace(now, delayed=self.delayed + max(0, delayed))


NEW = Times(0, 0, 0)


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
    (Linux, Documentation/scheduler/sched-stats.rst). It is taken every second: a long wait shall not hide
    among the turns of other seconds. What a program does between the last sample and its end is not counted.
    """

    def __init__(self, hosts: Mapping[str, Path], proc: Path = Path("/proc")) -> None:
        self._hosts = {netns.stat().st_ino: name for name, netns in hosts.items()}
        self._proc = proc
        self._programs: dict[str, tuple[str, str]] = {}
        self._before = dict(self._read())
        self._last = dict(self._before)

    def sample(self) -> None:
        """Read the counters now."""
        for task, now in self._read():
            self._last[task] = self._last.get(task, NEW).until(now)

    def by_host(self) -> dict[str, dict[str, ProgramTimes]]:
        """The times of every program on every host, by the name of its file, after a last sample."""
        self.sample()
        ns: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for task, last in self._last.items():
            before = self._before.get(task, NEW)
            sums = ns[self._programs[task[0]]]
            sums[0] += last.run - before.run
            sums[1] += last.waited - before.waited
            sums[2] += last.delayed
        found: dict[str, dict[str, ProgramTimes]] = {}
        for (host, program), sums in sorted(ns.items()):
            found.setdefault(host, {})[program] = ProgramTimes(*(total / 1e9 for total in sums))
        return found

    def _read(self) -> Iterator[tuple[Task, Times]]:
        """The times of each thread so far."""
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
                        yield (process, thread), Times(*map(int, text.split()))
