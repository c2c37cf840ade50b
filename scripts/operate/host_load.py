"""How much of the host other programs use, before a cycle starts."""

import os
from collections.abc import Callable

import psutil

from scripts.operate.checks import HealthCheck, failed, passed

NAME = "other load"
SAMPLE_S = 2.0
SAMPLES = 4
"""A load that is gone in one of so many samples does not count: a short job, or a program that was ending."""
NAMED = 3


def check_load(limit: float, sample: Callable[[], dict[str, float]] | None = None) -> HealthCheck:
    """Whether other programs leave the processors to the testbed.

    Args:
        limit: the largest part of all processors that they may use.
        sample: measures the part that each program uses; the real ones by default.
    """
    if limit >= 1:
        return passed(NAME, "not sampled, other programs may use all processors")
    used: dict[str, float] = {}
    for _ in range(SAMPLES):
        used = (sample or load_by_program)()
        if sum(used.values()) <= limit:
            return passed(NAME, f"other programs use {sum(used.values()):.0%} of the processors")
    most = sorted(used, key=lambda name: (-used[name], name))[:NAMED]
    return failed(
        NAME,
        f"other programs use {sum(used.values()):.0%} of the processors, {limit:.0%} are allowed; end them: "
        + ", ".join(f"{name} {used[name]:.0%}" for name in most),
    )


def load_by_program(seconds: float = SAMPLE_S) -> dict[str, float]:
    """The part of all processors that each program uses, without this process; `other` are those not seen."""
    processes = [one for one in psutil.process_iter(["name"]) if one.pid != os.getpid()]
    before = {one: _cpu_s(one) for one in processes}
    own = sum(psutil.Process().cpu_times()[:2])
    busy = psutil.cpu_percent(interval=seconds) / 100
    processors_s = seconds * (os.cpu_count() or 1)
    own = (sum(psutil.Process().cpu_times()[:2]) - own) / processors_s
    used: dict[str, float] = {}
    for one in processes:
        name = str(one.info["name"] or "unnamed")
        used[name] = used.get(name, 0.0) + max(0.0, _cpu_s(one) - before[one]) / processors_s
    used["other"] = max(0.0, busy - own - sum(used.values()))
    return {name: part for name, part in used.items() if part > 0}


def _cpu_s(process: psutil.Process) -> float:
    """The processor time that a process has used; 0 if it has ended."""
    try:
        return float(sum(process.cpu_times()[:2]))
    except psutil.Error:
        return 0.0
