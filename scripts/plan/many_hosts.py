"""How long a cycle takes on several testbed hosts, and which of the things that they share saturates first.

    host_s   = calibrations in each setting of its trials + its trials with their hand-in
    round_s  = max(host_s of the slowest host, busy_s of each shared resource) + last batch + NEXT_ROUND_S

Each trial runs on the host whose turn it is (scripts/plan/spread.py), and a round ends with its last trial,
so hosts are idle at its end. The last batch is what follows the last trials of a round
(scripts/plan/trial_work.py).
tests/simulated/test_hosts.py compares this with a simulation of every trial (tests/simulated/hosts.py).
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.model.campaign import Campaign
from scripts.plan.expected_rounds import Round
from scripts.plan.spread import turns
from scripts.plan.trial_work import (
    BATCH,
    NEXT_ROUND_S,
    SUBMISSIONS_PER_S,
    Shared,
    calibration_s,
    trial_work,
)

HOSTS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Saturation:
    """A shared resource, and the least number of hosts that keeps it busy all the time."""

    resource: str
    hosts: int


def cycle_s(campaign: Campaign, rounds: Sequence[Round], hosts: int, shared: Shared) -> float:
    """The seconds from the first trial of these rounds to the rows of the last one.

    Raises:
        ValueError: there are no hosts.
    """
    if hosts < 1:
        raise ValueError(f"{hosts} hosts cannot measure anything")
    return sum(_round_s(campaign, lines, hosts, shared) for lines in rounds)


def saturations(campaign: Campaign, rounds: Sequence[Round], shared: Shared) -> list[Saturation]:
    """What saturates, first what needs the fewest hosts.

    A resource is left out if even a host for each trial of the largest round does not saturate it.
    """
    total_s, most = 0.0, max(map(len, rounds), default=0)
    busy_s: dict[str, float] = defaultdict(float)
    for lines in rounds:
        for line in lines:
            work = trial_work(campaign, line)
            total_s += work.measuring_s + work.stored_s(shared)
        for resource, seconds in _busy_s(campaign, lines, shared).items():
            busy_s[resource] += seconds
    needed = [Saturation(resource, math.ceil(total_s / seconds)) for resource, seconds in busy_s.items()]
    return sorted((one for one in needed if one.hosts <= most), key=lambda one: one.hosts)


def _round_s(campaign: Campaign, lines: Round, hosts: int, shared: Shared) -> float:
    slowest_s = max(_host_seconds(campaign, lines, hosts, shared), default=0.0)
    last = lines[-((len(lines) - 1) % BATCH + 1) :]
    last_s = sum(trial_work(campaign, line).cpu_s for line in last) / min(shared.cores, len(last))
    return max(slowest_s, *_busy_s(campaign, lines, shared).values()) + last_s + NEXT_ROUND_S


def _host_seconds(campaign: Campaign, lines: Round, hosts: int, shared: Shared) -> list[float]:
    """How long each host that has trials in this round is busy."""
    seconds: dict[int, float] = defaultdict(float)
    calibrated: set[tuple[int, str]] = set()
    for line, turn in zip(lines, turns(lines), strict=True):
        host, setting = turn % hosts, line.key.setting
        work = trial_work(campaign, line)
        seconds[host] += work.measuring_s + work.stored_s(shared)
        if (host, setting) not in calibrated:
            calibrated.add((host, setting))
            seconds[host] += calibration_s(campaign.settings[setting])
    return list(seconds.values())


def _busy_s(campaign: Campaign, lines: Round, shared: Shared) -> dict[str, float]:
    """How long a round keeps each shared resource busy, seconds."""
    works = [trial_work(campaign, line) for line in lines]
    cores = "core" if shared.cores == 1 else "cores"
    return {
        f"what follows trials keeps {shared.cores} {cores} busy": sum(one.cpu_s for one in works)
        / shared.cores,
        f"the store of {shared.store_mb_per_s:g} MB/s is busy": sum(one.stored_s(shared) for one in works),
        "Snakemake is busy with submitting": (len(works) + math.ceil(len(works) / BATCH)) / SUBMISSIONS_PER_S,
    }
