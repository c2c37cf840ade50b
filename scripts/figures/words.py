"""Figures as the pages show them."""

from scripts.figures.catalogue import CATALOGUE, SHOWN
from scripts.figures.figure import MOVES, Figure

LARGE = 100
"""Values from here on have no decimals."""

VERDICTS = {
    "losing": "loses",
    "fair": "fair",
    "winning": "wins",
    "undecided": "undecided",
    "seen": "too few trials",
    "unjudged": "no verdict",
    "provisional": "no verdict yet",
}
"""The verdicts on a share as chips, tables and charts show them."""

SETTLED = {"settled": "settled", MOVES: MOVES, "undecided": "perhaps still moving"}
"""Whether a share has settled, by the words of the table pairs."""

TWO_OUTCOMES = "two outcomes"
"""What is said of a share whose trials fall into two groups."""


def metric_words() -> dict[str, dict[str, str | int | float]]:
    """How every metric is written, by its name, for templates and scripts of pages."""
    return {
        name: {
            "name": metric.name,
            "label": metric.label,
            "unit": metric.shown_unit,
            "decimals": metric.decimals,
            "factor": metric.factor,
        }
        for name, metric in CATALOGUE.items()
    }


def title_of(figure: str) -> str:
    """The title of a figure, such as `Throughput`. A cycle may have figures that are no more."""
    return CATALOGUE[figure].name if figure in CATALOGUE else figure.replace("_", " ").capitalize()


def unit_of(figure: Figure) -> str:
    """The unit in which a figure is shown."""
    return _shown(figure.unit)[0]


def scaled(value: float, unit: str) -> float:
    """A value in the unit in which it is shown."""
    return value * _shown(unit)[1]


def number(value: float, unit: str) -> str:
    """A value without its unit, with two decimals.

    Large values and percents are whole. Percents below 1 have at most two decimals.
    """
    shown = scaled(value, unit)
    if unit == "fraction" and abs(shown) < 1:
        return f"{round(shown, 2):g}"
    return f"{shown:,.0f}" if unit == "fraction" or abs(shown) >= LARGE else f"{shown:,.2f}"


def median_words(figure: Figure | None) -> str:
    """The median with its unit, such as `47 %`; with `≥` if it is a lower bound; a dash if there is none."""
    if figure is None or figure.median is None:
        return "–"
    return bound_mark(figure.median, figure.at_least) + amount(figure.median, figure.unit)


def amount(value: float | None, unit: str) -> str:
    """A value with its unit; a dash for None."""
    if value is None:
        return "–"
    return f"{number(value, unit)}\u00a0{_shown(unit)[0]}"


def interval_words(figure: Figure | None) -> str:
    """The 95 % interval of the median, such as `42 to 51`; empty if there is none. Lower bounds have `≥`."""
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return " to ".join(
        bound_mark(end, figure.at_least) + number(end, figure.unit) for end in (figure.low, figure.high)
    )


def bound_mark(value: float, at_least: float | None) -> str:
    """The `≥` before a value that is a lower bound: all are from `at_least` on, none if that is None."""
    return "≥\u00a0" if at_least is not None and value >= at_least else ""


def _shown(unit: str) -> tuple[str, float]:
    """The unit in which a unit is shown, and the factor between the two."""
    return SHOWN.get(unit, (unit, 1.0))


def certainty_words(figure: Figure) -> str:
    """How sure a median is: `95 % interval 42 to 51 %, n = 10`, or `seen in 2 trials`."""
    if interval := interval_words(figure):
        return f"95\u00a0% interval {interval}\u00a0{unit_of(figure)}, n\u00a0=\u00a0{figure.n}"
    return f"seen in {several(figure.n, 'trial')}"


def verdict_words(share: Figure) -> str | None:
    """The verdict on a share, what it hides, such as `loses, still moving, two outcomes`; else None."""
    words = (
        VERDICTS.get(share.verdict or ""),
        SETTLED.get(share.settled or ""),
        TWO_OUTCOMES if share.two_outcomes else None,
    )
    return ", ".join(word for word in words if word) or None


def several(count: int, noun: str) -> str:
    """A count with its noun: `1 cell`, `1,890 cells`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
