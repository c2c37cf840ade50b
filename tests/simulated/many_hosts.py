"""How long the paper's cycle takes on several testbed hosts: the figures of docs/operating.md.

    python -m tests.simulated.many_hosts

The cycle has 12 services, 78 pairs and two settings, with trials of 600 s: 1,800 trials in the first round.
Assumed is that every fourth pair of a setting then needs a second round, of 10 trials each.
scripts/plan/cycle_simulation.py simulates it.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from scripts.base.commands import parser_of
from scripts.model.campaign import Campaign
from scripts.plan.cycle_simulation import simulate
from scripts.plan.expected_rounds import Round, least_rounds
from scripts.plan.many_hosts import limits
from scripts.plan.planner import Cell, quota_of
from scripts.plan.trial_work import Shared
from tests.model.campaigns import paper

DAY_S = 86_400
HOSTS, CORES = (1, 4, 16, 64), (2, 16)
SECOND_ROUND = 4
"""Every so-many-th pair of a setting needs a second round."""


def two_rounds(campaign: Campaign) -> list[Round]:
    """The first round of the cycle, and a second one of some pairs."""
    (first,) = least_rounds(campaign)
    pairs: dict[Cell, Round] = {}
    for line in first:
        quota = quota_of(campaign, line.key.pair)
        if quota.by_interval:
            again = replace(line.key, number=line.key.number + quota.batch)
            cell = Cell(line.key.setting, line.key.pair)
            pairs.setdefault(cell, []).append(replace(line, key=again, round=2))
    second = [line for cell in list(pairs)[::SECOND_ROUND] for line in pairs[cell]]
    return [first, sorted(second, key=lambda line: line.order)]


def table(hosts: Sequence[int], cores: Sequence[int]) -> Iterator[str]:
    """The lines of the table; the last three columns are of both rounds."""
    campaign = paper()
    first, second = two_rounds(campaign)
    both = f"{len(first) + len(second):,}"
    yield f"| hosts | cores | {len(first):,} trials | {both} trials | hosts busy | cores busy | store busy |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for number, several in product(hosts, cores):
        shared = Shared(several)
        once = simulate(campaign, [first], number, shared)
        twice = simulate(campaign, [first, second], number, shared)
        days = (f"{one.seconds / DAY_S:.2f} days" for one in (once, twice))
        busy = (f"{fraction:.1%}" for fraction in (twice.hosts, twice.cores, twice.store))
        yield f"| {' | '.join([str(number), str(several), *days, *busy])} |"


def saturated(cores: Sequence[int]) -> Iterator[str]:
    """What saturates in the first round, for each number of cores."""
    campaign = paper()
    first, _ = two_rounds(campaign)
    for several in cores:
        yield from limits(campaign, first, Shared(several))


def main() -> int:
    """Print the table, and what saturates."""
    parser_of("tests.simulated.many_hosts", __doc__).parse_args()
    print(*table(HOSTS, CORES), *saturated(CORES), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
