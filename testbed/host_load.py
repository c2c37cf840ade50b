"""The machine that a trial runs on: its kernel, its processors, and how busy they were."""

import os
import platform
import re
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.base.host import host_name
from scripts.model.trial_record import HostRecord


@dataclass(frozen=True)
class LoadCounters:
    """The machine's counters at one moment.

    `pressure_us` is the CPU pressure stall time `some` since boot, None on a kernel without it. `ticks` and
    `steal_ticks` are sums over all processors.
    """

    time_ns: int
    pressure_us: int | None
    ticks: int
    steal_ticks: int


def read_load_counters() -> LoadCounters:
    """Read the counters from /proc (proc(5))."""
    pressure = Path("/proc/pressure/cpu")
    stalled = re.search(r"some .*total=(\d+)", pressure.read_text()) if pressure.exists() else None
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return LoadCounters(time.monotonic_ns(), int(stalled[1]) if stalled else None, sum(ticks[:8]), ticks[7])


def host_record(before: LoadCounters, after: LoadCounters) -> HostRecord:
    """The machine, and its load between two readings as fractions of the time between them."""
    ticks = after.ticks - before.ticks
    stalled_us = None
    if before.pressure_us is not None and after.pressure_us is not None:
        stalled_us = after.pressure_us - before.pressure_us
    elapsed_us = (after.time_ns - before.time_ns) / 1000
    return HostRecord(
        name=host_name(),
        kernel=platform.release(),
        cpus=os.cpu_count(),
        load_1min=os.getloadavg()[0],
        steal_fraction=(after.steal_ticks - before.steal_ticks) / ticks if ticks else 0.0,
        cpu_pressure_fraction=None if stalled_us is None else stalled_us / elapsed_us,
    )
