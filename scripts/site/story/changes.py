"""What changed since the earlier cycle, in sentences."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.figures.figure import THROUGHPUT, Figure
from scripts.figures.words import amount, number, several
from scripts.metrics.stratified import MARGIN
from scripts.site import Row
from scripts.site.data.recognised import Recognised
from scripts.site.data.service_change import ServiceChange
from scripts.site.data.summary import SettingSummary
from scripts.site.drawn.strip import Strip, StripDot, drawn_strip
from scripts.site.story.names import Names, listed, page_of, short_place


@dataclass(frozen=True)
class Changes:
    """The cells of a cycle that were compared with an earlier one, the smallest corrected p first.

    `services` are the services compared over all their pairs, `controllers` those that are recognised as
    another family of controllers than before.
    """

    cells: tuple[Figure, ...]
    services: tuple[ServiceChange, ...] = ()
    controllers: tuple[Recognised, ...] = ()

    def of(self, *, control: bool, changed: bool | None = None) -> list[Figure]:
        """The cells of the control group or the others; with `changed`, only those that did or did not."""
        mine = [cell for cell in self.cells if bool(cell.control) == control]
        return mine if changed is None else [cell for cell in mine if bool(cell.changed) == changed]

    @property
    def baselines(self) -> list[ServiceChange]:
        """The baselines that have enough trials for a verdict."""
        return [change for change in self.services if change.control and change.verdict is not None]


def changes_in(
    figures: Iterable[Figure],
    services: Iterable[ServiceChange] = (),
    recognised: Iterable[Recognised] = (),
) -> Changes:
    """The compared cells among the figures of a cycle, its compared services, and its changed controllers."""
    cells = [row for row in figures if row.figure == THROUGHPUT and row.before_n is not None]
    return Changes(
        tuple(sorted(cells, key=lambda row: (p_of(row), row.setting, row.pair, row.service, row.instance))),
        tuple(services),
        tuple(service for service in recognised if service.changed),
    )


def p_of(cell: Figure) -> float:
    """The corrected p of a compared cell."""
    return 1.0 if cell.p_corrected is None else cell.p_corrected


def change_words(changes: Changes, before: str | None, names: Names) -> str | None:
    """Which controllers and how many cells changed, and whether the testbed did; None without anything."""
    words = [controller_words(changes, names)] if changes.controllers else []
    if changes.cells:
        words += [_count(changes, before), control_words(changes, names)]
    return " ".join(words) or None


def controller_words(changes: Changes, names: Names) -> str:
    """The services that are recognised as another family of controllers than before."""
    services = dict.fromkeys((recognised.service, recognised.change) for recognised in changes.controllers)
    words = listed(f"{names.of(service)} ({change})" for service, change in services)
    return f"Recognised as another family of congestion controllers than before: {words}."


def _count(changes: Changes, before: str | None) -> str:
    """How many of the cells outside the control group changed."""
    cells, changed = (len(changes.of(control=False, changed=only)) for only in (None, True))
    since = f"Since cycle {before}, " if before else "Since the earlier cycle, "
    if not cells:
        return f"{since}only the control group can be compared."
    return f"{since}{_of_cells(changed, cells)}."


def control_words(changes: Changes, names: Names) -> str:
    """What the control group shows of the testbed: whether it changed, and the shift that is excluded.

    It measures as before only if every baseline gets as before (ServiceChange), which is a test of
    equivalence (Schuirmann 1987).
    """
    cells, changed = (len(changes.of(control=True, changed=only)) for only in (None, True))
    baselines = changes.baselines
    if not cells:
        return "There is no control group, so a change of a service cannot be told from one of the testbed."
    if moved := sorted({baseline.service for baseline in baselines if baseline.changed}):
        get = "gets" if len(moved) == 1 else "get"
        return (
            f"The testbed changed: what {listed(map(names.of, moved))} {get} in the control group differs by "
            f"over {amount(MARGIN, 'fraction')}. No change can be attributed to a service."
        )
    if changed:
        return (
            f"{changed} of {several(cells, 'cell')} of the control group changed, so no change of a cell can "
            "be attributed to a service."
        )
    return f"In the control group {_of_cells(0, cells)}. {_excluded(baselines)}"


def _of_cells(changed: int, cells: int) -> str:
    """How many cells changed, such as `2 of 12 cells changed`."""
    if cells == 1:
        return "the only cell changed" if changed else "the only cell did not change"
    return f"{changed or 'none'} of {several(cells, 'cell')} changed"


def _excluded(baselines: Sequence[ServiceChange]) -> str:
    """Which shifts of a baseline are excluded, and whether the testbed therefore measures as before."""
    beyond = [baseline.excluded_beyond for baseline in baselines]
    known = [shift for shift in beyond if shift is not None]
    if not known or len(known) < len(beyond):
        return "Its trials are too few to tell whether the testbed measures as before."
    shift = f"a baseline differs by more than ±{rounded_up(max(known))} over all its pairs"
    if all(baseline.verdict == "as before" for baseline in baselines):
        return f"The trials rule out that {shift}: the testbed measures as before."
    return (
        f"The trials rule out only that {shift}. So it is not known whether the testbed measures as before, "
        f"within ±{amount(MARGIN, 'fraction')}."
    )


def rounded_up(fraction: float) -> str:
    """A fraction in whole percents, rounded up, so that what is excluded is not overstated."""
    return amount(math.ceil(round(100 * fraction, 6)) / 100, "fraction")


LARGEST = 5
"""How many changes an overview shows."""


def change_rows(changes: Changes, settings: Sequence[SettingSummary], names: Names) -> list[Row]:
    """The cells outside the control group that changed by the largest factor.

    Returns:
        At most LARGEST rows with `title`, `against`, `place`, `page`, and `strip` (drawn_strip): a hollow dot
        before, a filled one now, on an axis from 0 to the rate of the link.
    """
    settings_by_name = {setting.name: setting for setting in settings}
    changed = sorted(changes.of(control=False, changed=True), key=_by_factor, reverse=True)
    return [_change_row(cell, settings_by_name[cell.setting], settings, names) for cell in changed[:LARGEST]]


def _change_row(
    cell: Figure, setting: SettingSummary, settings: Sequence[SettingSummary], names: Names
) -> Row:
    before, now = cell.before_median or 0, cell.median or 0
    strip = Strip(
        number=f"{number(before, cell.unit)} → {amount(now, cell.unit)}",
        words=f"n\u00a0=\u00a0{cell.before_n} and {cell.n}",
        dots=(StripDot(before, hollow=True), StripDot(now)),
        high=float(setting.rate_mbps),
    )
    return {
        "title": names.short(cell.service),
        "against": "itself" if cell.against_itself else names.short(cell.contender),
        "place": short_place(setting, settings),
        "page": page_of(cell),
        "strip": drawn_strip(strip),
    }


def _by_factor(cell: Figure) -> tuple[float, str, str, str]:
    """The ratio of both medians, the larger one above; infinite if one is 0."""
    low, high = sorted((cell.before_median or 0, cell.median or 0))
    return high / low if low else math.inf, cell.setting, cell.service, cell.contender
