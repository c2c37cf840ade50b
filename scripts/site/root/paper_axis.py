"""A printed number and the measured ones on one axis, for the pages of papers."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scripts.figures.catalogue import CATALOGUE, Metric
from scripts.figures.figure import SHARE
from scripts.figures.words import bound_mark, number
from scripts.site import Row
from scripts.site.drawn.strip import WIDTH
from scripts.site.root.paper_files import PrintedNumber
from scripts.site.story.names import listed

HEIGHT = 8
"""The height of the view box of a strip."""

SHARE_END = 2.0
"""The end of the axis of shares. Larger ones are drawn there."""


@dataclass(frozen=True)
class MeasuredNumber:
    """A median over `n` trials with its 95 % interval, if it has one; lower bounds are from `at_least` on.

    `title` is whose figure it is.
    """

    n: int
    median: float
    low: float | None
    high: float | None
    at_least: float | None
    title: str = ""

    @property
    def values(self) -> tuple[float, ...]:
        """All its numbers."""
        return tuple(number for number in (self.median, self.low, self.high) if number is not None)


@dataclass(frozen=True)
class Axis:
    """The axis of a metric: from `start` to `end`, in the unit of the metric."""

    metric: str
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value is on the drawing; one beyond an end is at the end."""
        place = WIDTH * (value - self.start) / (self.end - self.start)
        return round(min(max(place, 0.0), WIDTH), 1)


def axis_of(metric: str, values: Iterable[float]) -> Axis:
    """The axis of these values: 0 to 200 % for shares, else from 0 or a negative number to a round one."""
    if metric == SHARE:
        return Axis(metric, 0.0, SHARE_END)
    every = [*values]
    end = _round_number(max(map(abs, every), default=1.0))
    return Axis(metric, -end if min(every, default=0.0) < 0 else 0.0, end)


def _round_number(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, … and of 0.5, 0.2, 0.1, …; 1 for 0."""
    if value == 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(value))
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= value * (1 - 1e-9))


def drawing(printed: PrintedNumber, measured: Sequence[MeasuredNumber], axis: Axis) -> Row:
    """What a row draws and says of a number.

    Args:
        printed: the number of the paper.
        measured: the figures that measure it; none if there are none.
        axis: the axis of its metric.

    Returns:
        `of`: which number of its result it is; `only`: whose figures measure it, if not all do that could;
        `strip`: what strip.html draws, with dashed marks (`p`) of the
        printed number or of the ends of its range; `start` and `end`: the labels of the axis; `words`,
        `interval` and `trials`: the measured figures, if there are any.
    """
    metric = CATALOGUE[axis.metric]
    marks = [
        *_measured_marks(measured, axis),
        *({"class": "p", "d": d} for d in _printed_paths(printed, axis)),
    ]
    return {
        "of": printed.of,
        "only": _only(printed, measured),
        "strip": {"marks": marks, "height": HEIGHT, "shares": axis.metric == SHARE},
        "start": f"{axis.start * metric.factor:,g}",
        "end": f"{axis.end * metric.factor:,g}{_unit(metric)}",
        **(in_words(metric, measured) if measured else {}),
    }


def _only(printed: PrintedNumber, measured: Sequence[MeasuredNumber]) -> str:
    """Whose figures measure a number, if not all do that could; else empty."""
    titles = dict.fromkeys(figure.title for figure in measured)
    could = {(key.service, key.contender, key.instance) for key in printed.measured}
    return listed(titles) if 0 < len(titles) < len(could) else ""


def _printed_paths(printed: PrintedNumber, axis: Axis) -> Iterator[str]:
    """A line at each printed number, and one over a range, whose open end is that of the axis."""
    yield from (f"M{axis.place(value):g} 0v{HEIGHT}" for value in printed.numbers)
    if printed.low is not None or printed.high is not None:
        low = axis.start if printed.low is None else printed.low
        high = axis.end if printed.high is None else printed.high
        yield f"M{axis.place(low):g} 1H{axis.place(high):g}"


def _measured_marks(measured: Iterable[MeasuredNumber], axis: Axis) -> Iterator[Row]:
    """A dot for each median, on its interval if it has one."""
    for figure in measured:
        if figure.low is not None and figure.high is not None:
            yield {"class": "i", "d": f"M{axis.place(figure.low):g} 4H{axis.place(figure.high):g}"}
        yield {"class": "d", "d": f"M{axis.place(figure.median):g} 4h.1"}


def in_words(metric: Metric, measured: Sequence[MeasuredNumber]) -> dict[str, str]:
    """The only figure with its interval, or the lowest and the highest of several.

    Returns:
        `words` with the unit, `interval` without it, which is empty below six trials, and `trials`. Several
        figures have no interval.
    """
    trials = trials_words([figure.n for figure in measured])
    first, *others = sorted(measured, key=lambda figure: figure.median)
    if others:
        medians = dict.fromkeys(_bounded(metric, one.median, one) for one in (first, others[-1]))
        return {"words": " to ".join(medians) + _unit(metric), "trials": trials}
    words = _bounded(metric, first.median, first) + _unit(metric)
    ends = [_bounded(metric, end, first) for end in (first.low, first.high) if end is not None]
    return {"words": words, "interval": " to ".join(ends), "trials": trials}


def trials_words(counts: Sequence[int]) -> str:
    """How many trials figures have, such as `2 figures, n = 5 to 6`."""
    ends = dict.fromkeys((min(counts), max(counts)))
    words = f"n\u00a0=\u00a0{' to '.join(map(str, ends))}"
    return f"{len(counts)} figures, {words}" if len(counts) > 1 else words


def _bounded(metric: Metric, value: float, figure: MeasuredNumber) -> str:
    """A value without its unit, `≥` if a bound: a fraction as percent unless nobody writes its metric so.

    Percents are whole, but for metrics with more than one decimal.
    """
    small = metric.unit == "fraction" and metric.decimals > 1  # such as a loss rate
    exact = f"{metric.factor * value:,.{metric.decimals}f}"
    words = exact if metric.shown or small else number(value, metric.unit)
    return bound_mark(value, figure.at_least) + words


def _unit(metric: Metric) -> str:
    """The unit with the space before it; empty if the metric is written without one."""
    return f"\u00a0{metric.shown_unit}" if metric.shown_unit else ""
