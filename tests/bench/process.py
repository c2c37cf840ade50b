"""The cost of a whole process, and the trial that the benchmarks repeat."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from tests.environment import search_path

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = ROOT / "data/snapshots/reference"
TRIAL = SNAPSHOT / "trials/8mbps/iperf-bbr~iperf-cubic/01"
RUNS = {"full": 3, "tiny": 1}
"""How often a benchmark of each size runs a command."""

Size = Literal["full", "tiny"]
"""How much work a benchmark does: enough to be measured, or just enough to see that it runs."""


@dataclass(frozen=True)
class Cost:
    """CPU and wall-clock seconds, and the most memory held, in MiB."""

    cpu_s: float
    wall_s: float
    peak_mib: float


def cost(command: Sequence[str | Path], runs: int = 1, folder: Path = ROOT) -> Cost:
    """The median cost of some runs of a command in a folder. Its output is discarded.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    costs = [_once(command, folder) for _ in range(runs)]
    return Cost(
        *(statistics.median(getattr(one, name) for one in costs) for name in ("cpu_s", "wall_s", "peak_mib"))
    )


def cost_of_all(command: Sequence[str | Path]) -> Cost:
    """The cost of a command with all processes that it starts. They share memory: each page counts once."""
    began = time.monotonic()
    process = psutil.Popen(command, cwd=ROOT, env=os.environ | {"PATH": search_path()})
    peak_bytes = 0
    while process.poll() is None:
        members = [process, *process.children(recursive=True)]
        peak_bytes = max(peak_bytes, sum(map(_proportional_bytes, members)))
        time.sleep(0.2)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, [str(word) for word in command])
    return Cost(float("nan"), time.monotonic() - began, peak_bytes / 2**20)


def _proportional_bytes(process: psutil.Process) -> int:
    """The memory of a process, with its part of what it shares; 0 if it has ended."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


def generated(call: str) -> int:
    """Call a function of tests.bench.generated in a process of its own; returns its result.

    Otherwise the memory that it used would count in the peak of the processes that this one starts.
    """
    program = f"from pathlib import Path; from tests.bench.generated import *; print({call})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def _once(command: Sequence[str | Path], folder: Path) -> Cost:
    before = os.times()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = os.times().elapsed - before.elapsed
    if status != 0:
        raise subprocess.CalledProcessError(
            os.waitstatus_to_exitcode(status), [str(word) for word in command]
        )
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss / 1024)
