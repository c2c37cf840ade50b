"""What changed since the earlier cycle, in sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.figures.figure import THROUGHPUT, Figure
from scripts.figures.words import amount, several
from scripts.site.data.summary import SettingSummary
from scripts.site.story.names import Names, Part, Sentence, page_of, place_of


@dataclass(frozen=True)
class Changes:
    """The cells of a cycle that were compared with an earlier one, the smallest corrected p first."""

    cells: tuple[Figure, ...]

    def of(self, *, control: bool, changed: bool | None = None) -> list[Figure]:
        """The cells of the control group or the others; with `changed`, only those that did or did not."""
        mine = [cell for cell in self.cells if bool(cell.control) == control]
        return mine if changed is None else [cell for cell in mine if bool(cell.changed) == changed]


def changes_in(figures: Iterable[Figure]) -> Changes:
    """The compared cells among the figures of a cycle."""
    cells = [row for row in figures if row.figure == THROUGHPUT and row.before_n is not None]
    return Changes(
        tuple(sorted(cells, key=lambda row: (p_of(row), row.setting, row.pair, row.service, row.instance)))
    )


def p_of(cell: Figure) -> float:
    """The corrected p of a compared cell."""
    return 1.0 if cell.p_corrected is None else cell.p_corrected


def change_sentences(
    changes: Changes, before: str | None, settings: Sequence[SettingSummary], names: Names
) -> list[Sentence]:
    """How many cells changed since cycle `before`, the largest change, and whether the testbed changed."""
    if not changes.cells:
        return []
    count, control = (((Part(words),)) for words in (_count(changes, before), _control(changes)))
    return [count, *_largest(changes.of(control=False, changed=True), settings, names), control]


def change_words(changes: Changes, before: str | None) -> str | None:
    """The same without the largest change; None if nothing was compared."""
    return f"{_count(changes, before)} {_control(changes)}" if changes.cells else None


def _count(changes: Changes, before: str | None) -> str:
    """How many of the cells outside the control group changed."""
    cells, changed = (len(changes.of(control=False, changed=only)) for only in (None, True))
    since = f"Since cycle {before}, " if before else "Since the earlier cycle, "
    if not cells:
        return f"{since}only the control group can be compared."
    return f"{since}{changed or 'none'} of {several(cells, 'cell')} changed."


def _control(changes: Changes) -> str:
    """What the control group tells about the testbed."""
    control, changed = (len(changes.of(control=True)), len(changes.of(control=True, changed=True)))
    if not control:
        return "There is no control group, so a change of a service cannot be told from one of the testbed."
    if changed:
        return (
            f"{changed} of {several(control, 'cell')} of the control group changed, so the testbed changed: "
            "no change can be attributed to a service."
        )
    return f"None of {several(control, 'cell')} of the control group changed: the testbed measures as before."


def _largest(changed: Sequence[Figure], settings: Sequence[SettingSummary], names: Names) -> list[Sentence]:
    """The cell whose throughput changed by the largest factor, if one did."""
    if not changed:
        return []
    cell = max(changed, key=lambda row: (_factor(row), row.setting, row.service, row.contender))
    against = "itself" if cell.against_itself else names.of(cell.contender)
    places = {one.name: place_of(one, settings) for one in settings}
    before = f"{amount(cell.before_median, cell.unit)} (n\u00a0=\u00a0{cell.before_n})"
    after = f"{amount(cell.median, cell.unit)} (n\u00a0=\u00a0{cell.n})"
    linked = Part(f"{names.of(cell.service)} against {against}", page_of(cell))
    where = places.get(cell.setting, cell.setting)
    return [(Part("The largest change: "), linked, Part(f" {where}, from {before} to {after}."))]


def _factor(cell: Figure) -> float:
    """The ratio of both medians, the larger one above; infinite if one is 0."""
    low, high = sorted((cell.before_median or 0, cell.median or 0))
    return high / low if low else float("inf")
