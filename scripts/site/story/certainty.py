"""How sure the results of a cycle are, in sentences."""

from collections import Counter
from collections.abc import Sequence

from scripts.figures.figure import Figure, matrix
from scripts.figures.words import several
from scripts.site.story.completion import Slowdowns, slowdowns_in

INTERVALS = (
    "The intervals are 95\u00a0% intervals of the median. Where trials ended because an interval was narrow "
    "enough, it holds the truth in less than 95\u00a0% of cases."
)


def certainty_sentences(
    figures: Sequence[Figure], settings: Sequence[str], counted: int, excluded: int
) -> list[str]:
    """What counts, how many cells are judged, and what their intervals are.

    Args:
        figures: the figures of the cycle.
        settings: the names of its settings.
        counted: the number of trials that count.
        excluded: the number of trials that do not.
    """
    every_cell = [cell for setting in settings for cell in matrix(figures, setting)]
    cells = [cell for cell in every_cell if not cell.against_itself]
    counting = [cell for cell in cells if not cell.unable]
    flows = slowdowns_in(figures)
    sentences = [trials_words(counted, excluded)]
    if counting or not flows.maxima:
        sentences.append(_enough(counting))
    if flows.maxima:
        sentences.append(_flows(flows))
    if closed := len(cells) - len(counting):
        without = "has no result: one of its" if closed == 1 else "have no result: one of their"
        sentences.append(f"{several(closed, 'cell')} {without} services cannot do alone what it must.")
    return [*sentences, INTERVALS] if flows.judged or any(cell.judged for cell in counting) else sentences


OUTCOMES = {
    "losing": "losing",
    "fair": "fair",
    "winning": "winning",
    "undecided": "undecided",
    "few": "without a verdict",
    "no": "without a result",
}
"""The parts of a stacked bar by their class, in order, and the words behind their number."""


def stacked_bar(figures: Sequence[Figure], setting: str) -> list[dict[str, object]]:
    """How many cells of a setting have each verdict, as parts of a bar of the width of 100 %.

    Returns:
        For each outcome that a cell has: `class`, `count`, `words`, and `x` and `width` in percent.
    """
    cells = [cell for cell in matrix(figures, setting) if not cell.against_itself]
    counts = Counter(_outcome(cell) for cell in cells)
    parts: list[dict[str, object]] = []
    before = 0
    for name, words in OUTCOMES.items():
        if count := counts[name]:
            x, width = (f"{100 * part / len(cells):.4g}%" for part in (before, count))
            parts.append({"class": name, "count": count, "words": words, "x": x, "width": width})
            before += count
    return parts


def _outcome(cell: Figure) -> str:
    if cell.unable or cell.median is None:
        return "no"
    return cell.verdict if cell.judged and cell.verdict in OUTCOMES else "few"


def trials_words(counted: int, excluded: int) -> str:
    """How many trials count and how many do not."""
    count = f"{several(counted, 'trial')} {'counts' if counted == 1 else 'count'}"
    return f"{count}; {f'{excluded:,}' if excluded else 'none'} {'is' if excluded < 2 else 'are'} excluded."


def _enough(cells: Sequence[Figure]) -> str:
    """How many cells have the trials of a verdict, and how many these are."""
    if not cells:
        return "No two services are compared by their shares."
    enough = sum(cell.low is not None for cell in cells)
    has = "has" if enough == 1 else "have"
    return (
        f"{enough} of {several(len(cells), 'cell')} {has} the six trials that a verdict needs. "
        f"Every cell has {_spread(cells)}."
    )


def _flows(slowdowns: Slowdowns) -> str:
    """How many of the generated flows' slowdowns have an interval, and their trials."""
    judged, rows = len(slowdowns.judged), slowdowns.maxima
    return (
        f"{judged} of {several(len(rows), 'slowdown')} {'has' if judged == 1 else 'have'} the six trials "
        f"that a claim needs. Every slowdown has {_spread(rows)}. A trial gives one value, because its "
        "flows share one queue."
    )


def _spread(rows: Sequence[Figure]) -> str:
    """The fewest and the most trials of these figures, such as `2 to 10 valid trials`."""
    trials = sorted(row.n for row in rows)
    fewest = "" if trials[0] == trials[-1] else f"{trials[0]} to "
    return f"{fewest}{several(trials[-1], 'valid trial')}"
