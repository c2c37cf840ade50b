"""The pair that hurts a person most: which one it is, in words, and the link as a bar."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scripts.charts.chart_labels import ENOUGH
from scripts.figures.figure import SHARE, THROUGHPUT, WIRE_RATE, Figure
from scripts.figures.words import amount
from scripts.site import Row
from scripts.site.data.summary import SettingSummary
from scripts.site.drawn.link_bar import Bar, drawn_bar
from scripts.site.story.cells import doubts, no_loser, outcome_of
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, page_of, short_place, upper_first
from scripts.site.story.quality import HARMS, Harm, QoeComparison, apart, change_for_worse, comparisons

Side = tuple[str, str, str]
"""A service of a pair, its contender, and which of two instances it is."""

Known = Mapping[tuple[str, str, str, str, str], Figure]
"""Figures by setting, service, contender, instance and name."""


def known_figures(figures: Iterable[Figure]) -> Known:
    """These figures by key."""
    return {
        (figure.setting, figure.service, figure.contender, figure.instance, figure.figure): figure
        for figure in figures
    }


@dataclass(frozen=True)
class WorstPair:
    """The cell of a front page, and what falls for the users of its service, if that chose it."""

    cell: Figure
    harm: Harm | None = None
    fall: QoeComparison | None = None


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
    return (
        WorstPair(
            min(
                lowest,
                key=lambda cell: (cell.verdict != "losing", not cell.judged, cell.median or 0, _key(cell)),
            )
        )
        if lowest
        else None
    )


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
    setting = next(other for other in settings if other.name == cell.setting)
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
        "bar": drawn_link(
            known_figures(figures),
            cell.setting,
            float(setting.rate_mbps),
            [(cell.service, cell.contender, "first"), (cell.contender, cell.service, "first")],
            names.short,
        ),
    }


def _no_loser(cell: Figure, figures: Sequence[Figure]) -> str:
    """Why the story has the lowest share although it is no loss."""
    if not cell.judged:
        return "The lowest share seen: "
    return f"{no_loser(outcome_of(figures, cell.setting).cells)} The lowest share: "


def _more(worst: WorstPair, figures: Sequence[Figure], names: Names) -> list[str]:
    """What its users see, what the median does not tell, and how many pairs may be as bad."""
    cell, sentences = worst.cell, []
    if worst.harm and worst.fall:
        alone, now = (amount(row.median, row.unit) for row in worst.fall)
        words = worst.harm.words.format(name=names.of(cell.service), alone=alone, now=now)
        sentences.append(f"{upper_first(words)}.")
    sentences += doubts(cell)
    others = others_words(lead_in(outcome_of(figures, cell.setting).cells), "pair")
    if cell.may_be_lowest and others:
        sentences.append(f"{upper_first(others)}.")
    return sentences


def drawn_link(
    known: Known, setting: str, capacity_mbps: float, sides: Sequence[Side], short: Callable[[str], str]
) -> Row | None:
    """The link of a pair as a bar: the rates alone, the fair ones (rate over share), and those together.

    Returns:
        The row of drawn_bar; None without the rates of both sides, or without the share of either.
    """

    def median(side: Side, figure: str) -> float | None:
        row = known.get((setting, *side, figure))
        return None if row is None else row.median

    first, second = (median(side, WIRE_RATE) for side in sides)
    if first is None or second is None:
        return None
    one, other = (
        rate / share if (share := median(side, SHARE)) else None
        for side, rate in zip(sides, (first, second), strict=True)
    )
    if one is None and other is None:
        return None
    fair_mbps = (
        capacity_mbps - (other or 0) if one is None else one,
        capacity_mbps - (one or 0) if other is None else other,
    )
    names = [service for service, _contender, _instance in sides]
    alone = [median((name, "", "first"), WIRE_RATE) for name in names]
    bars = (
        Bar(f"{short(names[0])} alone", (alone[0], None)),
        Bar(f"{short(names[1])} alone", (None, None if names[0] == names[1] else alone[1])),
        Bar("Fair", fair_mbps),
        Bar("Together", (first, second), tall=True),
    )
    return drawn_bar(capacity_mbps, bars, fair_mbps[0])


def _key(row: Figure) -> tuple[str, str, str]:
    return row.setting, row.service, row.contender
