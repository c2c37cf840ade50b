"""How long a cycle takes on several testbed hosts, and what limits it.

    host_s     = takes_s(duration) + SLURM_S + stored_bytes / store            seconds of its host
    cpu_s      = FOLLOWING_S + FOLLOWING_PACKET_S * packets                    seconds of a core, afterwards
    stored_bytes                                                               raw files, for the shared store

`takes_s` is of scripts/model/durations.py, packets and bytes are of scripts/plan/disk.py: the link is full.
A host begins its next trial when the files of the last one are stored, so that no trial has to share its
host with a transfer. It calibrates a setting before its first trial in it, again in every round.

A round takes as long as the busiest of what works for it: the host with the most to measure, the cores that
compute what follows trials, the store, and the process that submits. So the time is the least that a round
can take: waiting for each other is left out.

Measured on one busy core, on trials of two downloads over the embedded switch: what is made of a trial
(`scripts.tables.measured_trial`) takes 1.1 s for 0.04 million packets on the link (50 Mbps for 10 s) and
2.9 s for 0.49 (50 Mbps for 120 s). Half of the 1.1 s is the start of its programs. `snakemake -n` of 1,800
planned trials took 11 s (`python -m tests.bench plan`).
SLURM_S: over a real Slurm, 2 to 3 s passed between two simulated trials on a host (`python -m tests.bench
hosts`). SUBMISSIONS_PER_S is assumed. Without Slurm, Snakemake started 60 jobs a second that do nothing; over
Slurm it also runs `sbatch` for each.

Before a cycle begins, its rounds are those with the fewest trials that it may need, and with the most.

At least: every trial is valid, every pair closes after its first round, and every load of a web page ends at
once. At most: every attempt is used, one in each round after the first, and every load takes its limit.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from scripts.model.campaign import Campaign
from scripts.model.durations import duration_s as longest_s
from scripts.model.durations import readable, shortest_s, takes_s
from scripts.model.plan_file import PlanLine
from scripts.model.settings import Setting
from scripts.plan.calibration import duration_s as calibration_duration_s
from scripts.plan.disk import packets, raw_bytes
from scripts.plan.planner import Cell, cells, in_turns, quota_of
from scripts.plan.spread import first_hosts

Round = list[PlanLine]


def least_rounds(campaign: Campaign) -> list[Round]:
    """The one round of a cycle if every trial is valid and every pair closes after it."""
    return [_round(campaign, 1, lambda cell: range(1, quota_of(campaign, cell.pair).batch + 1), shortest_s)]


def most_rounds(campaign: Campaign) -> list[Round]:
    """The rounds of a cycle if every attempt is used, and each round after the first reruns one trial."""
    quotas = [
        quota_of(campaign, cell.pair) for cell in cells(campaign, [*campaign.services, *campaign.pairs])
    ]
    reruns = max((quota.attempts - quota.batch for quota in quotas), default=0)
    return [
        _round(campaign, number, partial(_attempts, campaign, number), longest_s)
        for number in range(1, 2 + reruns)
    ]


def _attempts(campaign: Campaign, number: int, cell: Cell) -> Sequence[int]:
    """The numbers of a cell's trials in a round of the longest cycle."""
    quota = quota_of(campaign, cell.pair)
    if number == 1:
        return range(1, quota.batch + 1)
    attempt = quota.batch + number - 1
    return [attempt] if attempt <= quota.attempts else []


def _round(
    campaign: Campaign,
    number: int,
    numbers_of: Callable[[Cell], Sequence[int]],
    trial_s: Callable[[Campaign, str, str], int],
) -> Round:
    keys = in_turns(campaign, numbers_of)
    return [
        PlanLine(order, number, key, trial_s(campaign, key.setting, key.pair))
        for order, key in enumerate(keys, 1)
    ]


HOSTS = (1, 2, 4, 8, 16, 32, 64)
"""The numbers of hosts of which the operator sees the time, unless one is named."""

SLURM_S = 3
"""What a trial takes more over Slurm: its start on the host, and the report that it ended."""

FOLLOWING_S, FOLLOWING_PACKET_S = 1.0, 4e-6
"""Seconds of a core after a trial, from extraction to reduction, and what each packet on the link adds."""

SUBMISSIONS_PER_S = 10
"""One process of Snakemake submits its jobs one after the other."""

BATCH = 50
"""What follows trials runs for so many trials in one job."""

NEXT_ROUND_S = 30
"""From the last rows of a round to the first submission of the next: Snakemake plans it."""

GIGABIT_MB_PER_S = 110
"""Megabytes of files that a network of 1 Gbit/s carries in a second."""


@dataclass(frozen=True)
class Shared:
    """What all hosts share: the cores for what follows trials, and the store for their files, in MB/s."""

    cores: int
    store_mb_per_s: float = GIGABIT_MB_PER_S


@dataclass(frozen=True)
class Hosts:
    """The number of testbed hosts that measure a cycle over Slurm, and what they share."""

    number: int
    shared: Shared


@dataclass(frozen=True)
class TrialWork:
    """What a trial takes: seconds on its host, bytes for the store, and seconds of a core afterwards."""

    measuring_s: float
    stored_bytes: float
    cpu_s: float

    def stored_s(self, shared: Shared) -> float:
        """How long the store takes to receive the files of this trial alone."""
        return self.stored_bytes / (shared.store_mb_per_s * 1e6)


def trial_work(campaign: Campaign, line: PlanLine) -> TrialWork:
    """What a planned trial takes."""
    rate_mbps = campaign.settings[line.key.setting].rate_mbps
    return TrialWork(
        measuring_s=takes_s(line.duration_s) + SLURM_S,
        stored_bytes=raw_bytes(rate_mbps, line.duration_s),
        cpu_s=FOLLOWING_S + FOLLOWING_PACKET_S * packets(rate_mbps, line.duration_s),
    )


def calibration_s(setting: Setting) -> float:
    """How long a host is busy with a calibration, which it evaluates itself. Its files are small."""
    return takes_s(calibration_duration_s(setting)) + SLURM_S


def cycle_s(campaign: Campaign, rounds: Sequence[Round], hosts: int, shared: Shared) -> float:
    """How long these rounds take on so many hosts at least, seconds.

    Raises:
        ValueError: there are no hosts.
    """
    return sum(_round_s(campaign, lines, hosts, shared) for lines in rounds)


def _round_s(campaign: Campaign, lines: Round, hosts: int, shared: Shared) -> float:
    host_s: defaultdict[int, float] = defaultdict(float)
    calibrated: set[tuple[int, str]] = set()
    works = [trial_work(campaign, line) for line in lines]
    for line, work, host in zip(lines, works, first_hosts(lines, hosts), strict=True):
        setting = line.key.setting
        host_s[host] += work.measuring_s + work.stored_s(shared)
        if (host, setting) not in calibrated:
            calibrated.add((host, setting))
            host_s[host] += calibration_s(campaign.settings[setting])
    return max(*host_s.values(), *_shared_s(works, shared).values()) + NEXT_ROUND_S


def _shared_s(works: Sequence[TrialWork], shared: Shared) -> dict[str, float]:
    """For how many seconds the trials of a round keep busy what all hosts share, with the words for it."""
    jobs = len(works) + math.ceil(len(works) / BATCH)
    return {
        f"what follows trials keeps {_cores(shared)} busy": sum(work.cpu_s for work in works) / shared.cores,
        f"the store of {shared.store_mb_per_s:g} MB/s is busy": sum(work.stored_s(shared) for work in works),
        "one Snakemake is busy submitting": jobs / SUBMISSIONS_PER_S,
    }


@dataclass(frozen=True, order=True)
class Saturation:
    """The least number of hosts that saturates a shared resource."""

    hosts: int
    resource: str


def saturations(campaign: Campaign, lines: Round, shared: Shared) -> list[Saturation]:
    """How many hosts saturate each shared resource in a round; first the resource that needs the fewest.

    A resource is saturated when the hosts deliver trials at least as fast as it processes them.
    """
    works = [trial_work(campaign, line) for line in lines]
    hosts_s = sum(work.measuring_s + work.stored_s(shared) for work in works)
    busy_s = _shared_s(works, shared)
    return sorted(Saturation(math.ceil(hosts_s / seconds), resource) for resource, seconds in busy_s.items())


def least_s(campaign: Campaign, hosts: int, shared: Shared) -> float:
    """How long the cycle takes on so many hosts, seconds, if it needs the fewest trials."""
    return cycle_s(campaign, least_rounds(campaign), hosts, shared)


def most_s(campaign: Campaign, hosts: int, shared: Shared) -> float:
    """How long the cycle takes on so many hosts, seconds, if it needs the most trials."""
    return cycle_s(campaign, most_rounds(campaign), hosts, shared)


def limits(campaign: Campaign, lines: Round, shared: Shared) -> list[str]:
    """What saturates in a round, as lines for the operator."""
    first, *others = (
        f"{one.resource} from {one.hosts:,} hosts on" for one in saturations(campaign, lines, shared)
    )
    return [f"saturates first: {first}", f"then: {'; '.join(others)}"]


def hosts_report(campaign: Campaign, hosts: Sequence[int], shared: Shared) -> list[str]:
    """The times on these numbers of hosts, and the limits, as lines for the operator."""
    words = f"over Slurm; what follows trials on {_cores(shared)}, not on the hosts"
    rows = [("hosts", "at least", "at most", words)]
    for number in hosts:
        least, most = least_s(campaign, number, shared), most_s(campaign, number, shared)
        rows.append((str(number), readable(least), readable(most), ""))
    (first,) = least_rounds(campaign)
    return [
        *(f"{name:8}{low:>12}{high:>12}   {words}".rstrip() for name, low, high, words in rows),
        *limits(campaign, first, shared),
        f"the first round has {len(first):,} trials, so no work for more hosts than that",
    ]


def _cores(shared: Shared) -> str:
    return "1 core" if shared.cores == 1 else f"{shared.cores} cores"
