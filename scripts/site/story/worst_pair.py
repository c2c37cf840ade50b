"""The pair that hurts a person most: which one it is, in words, and the link as a bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.charts.chart_labels import ENOUGH
from scripts.figures.figure import SHARE, THROUGHPUT, WIRE_RATE, Figure
from scripts.figures.words import amount
from scripts.site import Row
from scripts.site.data.summary import SettingSummary
from scripts.site.drawn.link_bar import drawn_bar, link_bar
from scripts.site.story.cells import outcome_of
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, page_of, short_place, upper_first
from scripts.site.story.quality import HARMS, Comparison, Harm, apart, change_for_worse, comparisons


@dataclass(frozen=True)
class WorstPair:
    """The cell of a front page, and what falls for the users of its service, if that chose it."""

    cell: Figure
    harm: Harm | None = None
    fall: Comparison | None = None


def worst_pair(figures: Sequence[Figure], settings: Sequence[str]) -> WorstPair | None:
    """The losing cell whose bitrate or frame rate falls most, else the cell with the lowest share.

    The first needs six trials in this cycle and in the one before, and intervals alone and in the pair that
    do not overlap. Of the lowest shares, one that loses comes first, then one that is judged.

    Returns:
        The pair, or None if no two services have a share.
    """
    outcomes = [outcome_of(figures, name) for name in settings]
    losing = {_key(cell): cell for outcome in outcomes for cell in outcome.of("losing")}
    seen_before = {_key(row) for row in figures if row.figure == THROUGHPUT and (row.before_n or 0) >= ENOUGH}
    falls = [
        (change_for_worse(pair, harm.worse), key, WorstPair(losing[key], harm, pair))
        for harm in HARMS
        for name in settings
        for pair in comparisons(figures, name, harm.metric)
        if harm.worse < 0
        and apart(pair, harm.worse)
        and (key := _key(pair[1])) in losing.keys() & seen_before
    ]
    if falls:
        return max(falls, key=lambda one: one[:2])[2]
    lowest = [outcome.worst for outcome in outcomes if outcome.worst]
    return WorstPair(min(lowest, key=_certain_first)) if lowest else None


def pair_entry(
    worst: WorstPair, figures: Sequence[Figure], settings: Sequence[SettingSummary], names: Names
) -> Row:
    """The pair for the top of an overview.

    Returns:
        `before`, `share`, `after`: the sentence, whose number is `share`; `verdict`; `more`, further
        sentences; `page` of the pair; `place`, such as `8 Mbps`; `a` and `b`, the titles of the service and
        of its contender; `n`; `bar` (drawn_bar), or None without the rates of the pair.
    """
    cell = worst.cell
    setting = next(one for one in settings if one.name == cell.setting)
    place = short_place(setting, settings)
    who, against = names.of(cell.service), names.of(cell.contender)
    leaves = f"{against} leaves {who} "
    return {
        "before": upper_first(leaves) if cell.verdict == "losing" else f"{_no_loser(cell, figures)}{leaves}",
        "share": f"{first_words(cell)} of its fair share",
        "after": f" at {place} ({first_certainty(cell)}).",
        "verdict": cell.verdict,
        "more": _more(worst, figures, names),
        "page": page_of(cell),
        "place": place,
        "a": names.title(cell.service),
        "b": names.title(cell.contender),
        "n": cell.n,
        "bar": _bar(cell, figures, setting, names),
    }


def _no_loser(cell: Figure, figures: Sequence[Figure]) -> str:
    """Why the lowest share is told although it is no loss."""
    if not cell.judged:
        return "The lowest share seen: "
    cells = outcome_of(figures, cell.setting).cells
    certain = all(one.verdict in ("fair", "winning") for one in cells)
    return f"No service {'loses' if certain else 'certainly loses'}. The lowest share: "


def _more(worst: WorstPair, figures: Sequence[Figure], names: Names) -> list[str]:
    """What its users see, whether the share still moves, and how many pairs may be as bad."""
    cell, told = worst.cell, []
    if worst.harm and worst.fall:
        alone, now = (amount(row.median, row.unit) for row in worst.fall)
        words = worst.harm.words.format(name=names.of(cell.service), alone=alone, now=now)
        told.append(f"{upper_first(words)}.")
    if cell.moves:
        told.append("This share still moves.")
    others = others_words(lead_in(outcome_of(figures, cell.setting).cells), "pair")
    if cell.may_be_lowest and others:
        told.append(f"{upper_first(others)}.")
    return told


def _bar(
    cell: Figure, figures: Sequence[Figure], setting: SettingSummary, names: Names
) -> dict[str, object] | None:
    """The link of a cell: the rates alone, the fair ones, which are rate over share, and those together."""
    sides = ((cell.service, cell.contender), (cell.contender, cell.service))
    here = [row for row in figures if row.setting == cell.setting and row.instance == "first"]
    rates = {(row.service, row.contender): row.median for row in here if row.figure == WIRE_RATE}
    shares = {(row.service, row.contender): row.median for row in here if row.figure == SHARE}
    first, second = (rates.get(side) for side in sides)
    if first is None or second is None:
        return None
    capacity = float(setting.rate_mbps)
    fair = [
        rate / share if (share := shares.get(side)) else None
        for side, rate in zip(sides, (first, second), strict=True)
    ]
    one, other = fair
    if one is None and other is None:
        return None
    fair_mbps = (
        capacity - (other or 0) if one is None else one,
        capacity - (one or 0) if other is None else other,
    )
    alone = (rates.get((cell.service, "")), rates.get((cell.contender, "")))
    titles = (names.short(cell.service), names.short(cell.contender))
    return drawn_bar(link_bar(capacity, titles, alone, fair_mbps, (first, second)))


def _key(row: Figure) -> tuple[str, str, str]:
    return row.setting, row.service, row.contender


def _certain_first(cell: Figure) -> tuple[bool, bool, float, tuple[str, str, str]]:
    return cell.verdict != "losing", not cell.judged, cell.median or 0, _key(cell)
