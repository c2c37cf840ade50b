"""What each pair got over the cycles of a campaign, and what else differs between two cycles."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Literal

from scripts.figures.figure import SHARE, SLOWDOWN, SLOWEST, THROUGHPUT, Figure
from scripts.model.pairs import is_solo
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive, Cycle

DifferenceKind = Literal["method", "code", "host"]
KINDS: tuple[DifferenceKind, ...] = ("method", "code", "host")

HOST = ("kernel", "cpus")
"""The keys of Summary.host that a cycle does not change by itself, unlike the load."""

COMMIT_LETTERS = 10


@dataclass(frozen=True)
class Difference:
    """A key whose value differs, and both values, such as `trial.duration_s: 60, then 30`."""

    kind: DifferenceKind
    key: str
    words: str


def differences(before: Summary, after: Summary, setting: str | None = None) -> list[Difference]:
    """Everything that differs between two cycles, by kind and key.

    A setting that only one of them has is no difference of the method.

    Args:
        before: the earlier cycle.
        after: the later cycle.
        setting: leave out what concerns other settings only.
    """
    names = {setting} if setting else {summarised.name for summarised in before.settings}
    common = (
        names
        & {summarised.name for summarised in before.settings}
        & {summarised.name for summarised in after.settings}
    )
    pairs: dict[DifferenceKind, tuple[Mapping[str, object], Mapping[str, object]]] = {
        "method": (_method(before, common), _method(after, common)),
        "code": ({"commit": before.commit}, {"commit": after.commit}),
        "host": (_host(before), _host(after)),
    }
    return [difference for kind in KINDS for difference in _different(kind, *pairs[kind])]


def _method(summary: Summary, settings: set[str]) -> dict[str, object]:
    """The keys of the method, of settings only those given."""
    return {
        key: value
        for key, value in summary.method.items()
        if not key.startswith("settings.") or key.split(".")[1] in settings
    }


def _host(summary: Summary) -> dict[str, object]:
    """The testbed without what differs in every cycle: the load, and how many trials a switch carried."""
    switches = sorted(re.sub(r" \(\d+ trials?\)$", "", words) for words in summary.bottlenecks)
    fixed: dict[str, object] = {key: summary.host.get(key) for key in HOST}
    return fixed | {"bottleneck": ", ".join(switches) or None} | summary.programs


def _different(
    kind: DifferenceKind, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Difference]:
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield Difference(
                kind, key, f"{key}: {_words(kind, before.get(key))}, then {_words(kind, after.get(key))}"
            )


def _words(kind: DifferenceKind, value: object) -> str:
    if value is None:
        return "nothing"
    return str(value)[:COMMIT_LETTERS] if kind == "code" else str(value)


MOST_OTHERS = 2
"""How many other figures a page shows, of services that have neither share nor throughput."""

Side = tuple[str, str, str]
"""Service, contender and instance: one line of a history."""

FiguresBySide = dict[Side, dict[str, Figure]]
"""The figures of one cycle by side and name."""


Breaks = Mapping[Cycle, tuple[Difference, ...]]
"""The cycles that differ from the one before in a history, with what differs."""


@dataclass(frozen=True)
class History:
    """A pair in one setting over the cycles of one campaign that measured it, first to last."""

    campaign: str
    setting: str
    pair: str
    points: tuple[tuple[Cycle, FiguresBySide], ...]

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
    def breaks(self) -> Breaks:
        """Where method, code or host differ from the cycle before."""
        return breaks([cycle for cycle, _measured in self.points], self.setting)


def _place(figure: str) -> tuple[int, str]:
    """Slowdowns before other figures, which are in the order of their names."""
    return (SLOWEST, SLOWDOWN, figure).index(figure), figure


def breaks(cycles: Iterable[Cycle], setting: str | None = None) -> Breaks:
    """Where method, code or host differ between cycles that follow each other."""
    by_cycle = {after: _differences(before, after, setting) for before, after in pairwise(cycles)}
    return {cycle: differing for cycle, differing in by_cycle.items() if differing}


@cache
def _differences(before: Cycle, after: Cycle, setting: str | None) -> tuple[Difference, ...]:
    """Hundreds of histories have the same neighbours."""
    return tuple(differences(before.summary, after.summary, setting))


def pair_histories(archive: Archive) -> list[History]:
    """The histories of all pairs by setting, pair and campaign, without withdrawn cycles."""
    of_histories: dict[tuple[str, str, str], list[tuple[Cycle, FiguresBySide]]] = defaultdict(list)
    for campaign in archive.campaigns:
        for cycle in archive.counted(campaign):
            for (setting, pair), measured in _by_pair(cycle.figures).items():
                of_histories[setting, pair, campaign].append((cycle, measured))
    # The sort is stable: the campaigns keep their order.
    return [
        History(campaign, setting, pair, tuple(points))
        for (setting, pair, campaign), points in sorted(of_histories.items(), key=lambda item: item[0][:2])
    ]


def _by_pair(rows: Iterable[Figure]) -> dict[tuple[str, str], FiguresBySide]:
    of_pairs: dict[tuple[str, str], FiguresBySide] = defaultdict(dict)
    for row in rows:
        if not is_solo(row.pair):
            side = row.service, row.contender, row.instance
            of_pairs[row.setting, row.pair].setdefault(side, {})[row.figure] = row
    return of_pairs
