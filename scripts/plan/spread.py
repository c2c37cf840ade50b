"""Which testbed hosts a trial prefers, so that the trials of a pair are spread over all hosts.

A host may be faster or quieter than another. If one host measured all trials of a pair, its difference would
look like a property of the pair. So the trials of a cell (a pair in a setting) take turns on the hosts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scripts.model.plan_file import PlanLine
from scripts.model.trials import TrialKey


def host_order(lines: Sequence[PlanLine], key: TrialKey, hosts: Iterable[str]) -> list[str]:
    """The hosts in the order in which a trial prefers them: those of `turns`, beginning with its own.

    Args:
        lines: the plan of the trial's round, in the order of running.
        key: the trial.
        hosts: the names of the hosts, in any order.

    Raises:
        ValueError: there are no hosts, or the trial is not in the plan.
    """
    names = sorted(set(hosts))
    if not names:
        raise ValueError("there are no hosts")
    for line, turn in zip(lines, turns(lines), strict=True):
        if line.key == key:
            first = turn % len(names)
            return names[first:] + names[:first]
    raise ValueError(f"{key.title} is not in the plan of this round")


def turns(lines: Iterable[PlanLine]) -> Iterator[int]:
    """For each trial of a round, in the order of running, its turn c + t + r; its host is turn mod n.

    c is the index of the trial's cell, by its first line in the round. t is the number of trials of this cell
    that come earlier in the round, and r is the round. The n hosts are in alphabetical order.

    So each turn over the cells of a round loads the hosts equally. Consecutive trials of a cell are on
    different hosts. As long as the same cells are open, a cell begins round r on another host than round r-1.
    Trials of further cells at the end of a round change nothing for the others.
    """
    index: dict[tuple[str, str], int] = {}
    earlier: Counter[tuple[str, str]] = Counter()
    for line in lines:
        cell = line.key.setting, line.key.pair
        yield index.setdefault(cell, len(index)) + earlier[cell] + line.round
        earlier[cell] += 1
