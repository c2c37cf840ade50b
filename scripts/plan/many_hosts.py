"""How long a cycle takes at least on several testbed hosts over Slurm: the longest of three times.

    measuring    sum of takes_s(duration) + SLURM_S, over the hosts
    following    sum of FOLLOWING_S + FOLLOWING_PACKET_S * packets, over the cores that compute it
    storing      sum of the bytes of the raw files, over the rate of the store that all hosts share

The sums are over the fewest trials: each is valid, every pair closes after its first round, and every load of
a web page ends at once. `takes_s` is of scripts/model/durations.py, packets and bytes are of
scripts/plan/disk.py: the link is full. Waiting for each other, calibrations and further rounds come on top.

Measured on one busy core, on trials of two downloads over the embedded switch: what is made of a trial
(`scripts.tables.measured_trial`) takes 1.1 s for 0.04 million packets on the link (50 Mbps for 10 s) and
2.9 s for 0.49 (50 Mbps for 120 s). Half of the 1.1 s is the start of its programs. Over a real Slurm, 2 to
3 s passed between two simulated trials on a host (`python -m tests.bench hosts`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.model.campaign import Campaign
from scripts.model.durations import readable, shortest_s, takes_s
from scripts.plan.disk import packets, raw_bytes
from scripts.plan.planner import cells, quota_of

HOSTS = (1, 2, 4, 8, 16, 32, 64)
"""The numbers of hosts of which the operator sees the time, unless one is named."""

SLURM_S = 3
"""What a trial takes more over Slurm: its start on the host, and the report that it ended."""

FOLLOWING_S, FOLLOWING_PACKET_S = 1.0, 4e-6
"""Seconds of a core after a trial, from extraction to reduction, and what each packet on the link adds."""

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
class CycleWork:
    """Trials, the seconds of their hosts, the seconds of a core afterwards, and the bytes for the store."""

    trials: int
    measuring_s: float
    cpu_s: float
    stored_bytes: float


def least_work(campaign: Campaign) -> CycleWork:
    """The work of a cycle with the fewest trials."""
    trials, measuring_s, cpu_s, stored_bytes = 0, 0.0, 0.0, 0.0
    for cell in cells(campaign, [*campaign.services, *campaign.pairs]):
        count, rate_mbps = quota_of(campaign, cell.pair).batch, campaign.settings[cell.setting].rate_mbps
        duration_s = shortest_s(campaign, cell.setting, cell.pair)
        trials += count
        measuring_s += count * (takes_s(duration_s) + SLURM_S)
        cpu_s += count * (FOLLOWING_S + FOLLOWING_PACKET_S * packets(rate_mbps, duration_s))
        stored_bytes += count * raw_bytes(rate_mbps, duration_s)
    return CycleWork(trials, measuring_s, cpu_s, stored_bytes)


def least_s(campaign: Campaign, hosts: int, shared: Shared) -> float:
    """How long the cycle takes at least on so many hosts, seconds.

    Raises:
        ValueError: there are no hosts.
    """
    return max(_times_s(least_work(campaign), hosts, shared).values())


def hosts_report(campaign: Campaign, hosts: Sequence[int], shared: Shared) -> list[str]:
    """The least times on these numbers of hosts, and what limits each, as lines for the operator."""
    work, cores = least_work(campaign), _cores(shared)
    rows = [
        (
            "hosts",
            "at least",
            f"over Slurm, limited by; what follows trials runs on {cores}, not on the hosts",
        )
    ]
    for number in hosts:
        times_s = _times_s(work, number, shared)
        limit = max(times_s, key=lambda name: times_s[name])
        rows.append((str(number), readable(times_s[limit]), limit))
    return [f"{number:8}{least:>12}   {words}" for number, least, words in rows]


def _times_s(work: CycleWork, hosts: int, shared: Shared) -> dict[str, float]:
    """For how many seconds the hosts, the cores and the store are busy. A host more than trials is idle."""
    if hosts < 1:
        raise ValueError("there are no hosts")
    return {
        "the hosts": work.measuring_s / min(hosts, max(work.trials, 1)),
        _cores(shared): work.cpu_s / shared.cores,
        f"the store of {shared.store_mb_per_s:g} MB/s": work.stored_bytes / (shared.store_mb_per_s * 1e6),
    }


def _cores(shared: Shared) -> str:
    return "1 core" if shared.cores == 1 else f"{shared.cores} cores"
