"""What each pair and solo got over the cycles of a campaign."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from statistics import median

from scripts.figures.figure import SHARE, SLOWDOWN, SLOWEST, THROUGHPUT, Figure
from scripts.model.pairs import contenders, is_solo
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.differences import Difference, differences

MOST_OTHERS = 2
"""How many other figures a page shows, of services that have neither share nor throughput."""

Side = tuple[str, str, str]
"""Service, contender and instance: one line of a history."""

Measured = dict[Side, dict[str, Figure]]
"""The figures of one cycle by side and name."""


@dataclass(frozen=True)
class Break:
    """What differs between two cycles that follow each other in a history."""

    before: Cycle
    after: Cycle
    found: tuple[Difference, ...]


@dataclass(frozen=True)
class History:
    """A pair or a solo in one setting over the cycles of one campaign that measured it, first to last."""

    campaign: str
    setting: str
    pair: str
    points: tuple[tuple[Cycle, Measured], ...]

    @property
    def last(self) -> Cycle:
        """The latest cycle that measured it."""
        return self.points[-1][0]

    @cached_property
    def sides(self) -> list[Side]:
        """The lines of the history."""
        return sorted({side for _cycle, measured in self.points for side in measured})

    @cached_property
    def shown(self) -> list[str]:
        """The figures that its page shows: share, throughput, and others of sides that have neither.

        Calls and pages have neither: they are judged by what their users see. Generated flows in pairs have
        slowdowns instead.
        """
        known: dict[Side, set[str]] = defaultdict(set)
        for _cycle, measured in self.points:
            for side, of_side in measured.items():
                known[side] |= of_side.keys()
        main = [name for name in (SHARE, THROUGHPUT) if any(name in names for names in known.values())]
        others = [name for names in known.values() if not names & set(main) for name in names]
        return [*main, *sorted(set(others), key=_place)[:MOST_OTHERS]]

    @cached_property
    def breaks(self) -> list[Break]:
        """Where method, code or host differ from the cycle before."""
        return breaks([cycle for cycle, _measured in self.points], self.setting)


def _place(figure: str) -> tuple[int, str]:
    """Slowdowns before other figures, which are in the order of their names."""
    return (SLOWEST, SLOWDOWN, figure).index(figure), figure


def breaks(cycles: list[Cycle], setting: str | None = None) -> list[Break]:
    """Where method, code or host differ between cycles that follow each other."""
    found = [Break(before, after, _differences(before, after, setting)) for before, after in pairwise(cycles)]
    return [one for one in found if one.found]


@cache
def _differences(before: Cycle, after: Cycle, setting: str | None) -> tuple[Difference, ...]:
    """Hundreds of histories have the same neighbours."""
    return tuple(differences(before.summary, after.summary, setting))


def histories(archive: Archive) -> list[History]:
    """All histories by setting, pair and campaign, without withdrawn cycles."""
    found: dict[tuple[str, str, str], list[tuple[Cycle, Measured]]] = defaultdict(list)
    for campaign in archive.campaigns:
        for cycle in archive.counted(campaign):
            for (setting, pair), measured in _by_pair(cycle.figures).items():
                found[setting, pair, campaign].append((cycle, measured))
    # The sort is stable: the campaigns keep their order.
    return [
        History(campaign, setting, pair, tuple(points))
        for (setting, pair, campaign), points in sorted(found.items(), key=lambda item: item[0][:2])
    ]


def of_pairs(every: Iterable[History]) -> list[History]:
    """The histories of pairs, without solos."""
    return [history for history in every if not is_solo(history.pair)]


def shares_over_contenders(cycle: Cycle) -> dict[tuple[str, str], float]:
    """The median, over all contenders that are other services, of the median shares of each service.

    Returns:
        Shares by setting and service.
    """
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in cycle.figures:
        of_two = row.instance == "first" and len(contenders(row.contender)) == 1
        if row.figure == SHARE and of_two and row.median is not None:
            shares[row.setting, row.service].append(row.median)
    return {key: median(values) for key, values in shares.items()}


def _by_pair(rows: Iterable[Figure]) -> dict[tuple[str, str], Measured]:
    found: dict[tuple[str, str], Measured] = defaultdict(dict)
    for row in rows:
        side = row.service, row.contender, row.instance
        found[row.setting, row.pair].setdefault(side, {})[row.figure] = row
    return found
