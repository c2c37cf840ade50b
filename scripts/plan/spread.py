"""Which testbed hosts a trial prefers, so that the trials of a pair are spread over all hosts.

A host may be faster or quieter than another. If one host measured all trials of a pair, its difference would
look like a property of the pair. So the trials of a cell (a pair in a setting) take turns on the hosts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import gcd, sqrt

from scripts.model.plan_file import PlanLine
from scripts.model.trials import TrialKey

GOLDEN = (sqrt(5) - 1) / 2
"""Multiples of this fraction of a circle are spread over it more evenly than those of any other fraction."""


def host_order(lines: Sequence[PlanLine], key: TrialKey, hosts: Iterable[str]) -> list[str]:
    """The hosts in the order in which a trial prefers them: first its own (`first_hosts`), then all others.

    Args:
        lines: the plan of the trial's round, in the order of running.
        key: the trial.
        hosts: the names of the hosts, in any order.

    Raises:
        ValueError: there are no hosts, or the trial is not in the plan.
    """
    names = sorted(set(hosts))
    for line, first in zip(lines, first_hosts(lines, len(names)), strict=True):
        if line.key == key:
            return names[first:] + names[:first]
    raise ValueError(f"{key.title} is not in the plan of this round")


def first_hosts(lines: Iterable[PlanLine], hosts: int) -> Iterator[int]:
    """For each trial of a round, in the order of running, the index of its own host among all `hosts`.

    It is (c + s * t + r) mod hosts. c is the index of the trial's cell, by its first line in the round. t is
    the number of trials of this cell that come earlier in the round, and r is the round. The stride s has no
    common factor with the number of hosts, and is about GOLDEN of it.

    So each turn over the cells of a round loads the hosts equally, and where a turn does not load all of
    them, the next one loads others. As many consecutive trials of a cell as there are hosts are all on
    different hosts. As long as the same cells are open, a cell begins round r on another host than round r-1.
    Trials of further cells at the end of a round change nothing for the others.

    Raises:
        ValueError: there are no hosts.
    """
    if hosts < 1:
        raise ValueError("there are no hosts")
    stride = _stride(hosts)
    index: dict[tuple[str, str], int] = {}
    earlier: Counter[tuple[str, str]] = Counter()
    for line in lines:
        cell = line.key.setting, line.key.pair
        yield (index.setdefault(cell, len(index)) + stride * earlier[cell] + line.round) % hosts
        earlier[cell] += 1


def _stride(hosts: int) -> int:
    """The number nearest to GOLDEN of the hosts that has no common factor with their number."""
    strides = [number for number in range(1, hosts + 1) if gcd(number, hosts) == 1]
    return min(strides, key=lambda number: abs(number - GOLDEN * hosts))
