"""What the operator wants to know of a cycle on several testbed hosts: how long it takes, and what limits it.

The times are those of a simulation of every trial (scripts/plan/cycle_simulation.py).

The hosts share the store, the process that submits, and the cores that compute what follows trials. One of
these saturates when the hosts deliver trials at least as fast as it processes them:

    hosts >= seconds of a host for all trials / seconds of the shared resource for all trials
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.model.campaign import Campaign
from scripts.model.durations import readable
from scripts.plan.cycle_simulation import simulate
from scripts.plan.expected_rounds import Round, least_rounds, most_rounds
from scripts.plan.trial_work import BATCH, SUBMISSIONS_PER_S, Shared, trial_work

HOSTS = (1, 2, 4, 8, 16, 32, 64)
"""The numbers of hosts of which the operator sees the time, unless one is named."""


@dataclass(frozen=True, order=True)
class Saturation:
    """The least number of hosts that saturates a shared resource."""

    hosts: int
    resource: str


def least_s(campaign: Campaign, hosts: int, shared: Shared) -> float:
    """How long the cycle takes on so many hosts, seconds, if it needs the fewest trials."""
    return simulate(campaign, least_rounds(campaign), hosts, shared).seconds


def most_s(campaign: Campaign, hosts: int, shared: Shared) -> float:
    """How long the cycle takes on so many hosts, seconds, if it needs the most trials."""
    return simulate(campaign, most_rounds(campaign), hosts, shared).seconds


def saturations(campaign: Campaign, lines: Round, shared: Shared) -> list[Saturation]:
    """How many hosts saturate each shared resource in a round; first the resource that needs the fewest."""
    works = [trial_work(campaign, line) for line in lines]
    hosts_s = sum(work.measuring_s + work.stored_s(shared) for work in works)
    jobs = len(works) + math.ceil(len(works) / BATCH)
    busy_s = {
        f"what follows trials keeps {_cores(shared)} busy": sum(work.cpu_s for work in works) / shared.cores,
        f"the store of {shared.store_mb_per_s:g} MB/s is busy": sum(work.stored_s(shared) for work in works),
        "one Snakemake is busy submitting": jobs / SUBMISSIONS_PER_S,
    }
    return sorted(Saturation(math.ceil(hosts_s / seconds), resource) for resource, seconds in busy_s.items())


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
