"""A printed number and the measured ones on one axis: the numbers of the partial paper-axis.html."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.figures.catalogue import CATALOGUE, Metric
from scripts.figures.figure import SHARE
from scripts.figures.words import bound_mark, number
from scripts.site.root.history_pages import Row
from scripts.site.root.paper_files import PrintedNumber

WIDTH = 200
"""The width of the drawing. A share in percent is its own place on it."""

SHARE_END = 2.0
"""The end of the axis of shares. Larger ones are drawn there."""


@dataclass(frozen=True)
class MeasuredNumber:
    """A median over `n` trials with its 95 % interval, if it has one; lower bounds are from `at_least` on."""

    n: int
    median: float
    low: float | None
    high: float | None
    at_least: float | None

    @property
    def values(self) -> tuple[float, ...]:
        """All its numbers."""
        return tuple(one for one in (self.median, self.low, self.high) if one is not None)


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
        measured: the figures of one cycle that measure it; none if there are none.
        axis: the axis of its metric.

    Returns:
        `of`: which number of its result it is; `paper`: the places of its `value` and of the range `low` to
        `high`, whose open end is that of the axis; `ends`: those of the two that are printed; `dots`: the
        places of each measured median (`at`) and of its interval; `start` and `end`: the labels of the axis;
        `zone`: whether it has shares, which have a fair zone; `words`, `interval` and `trials`: the measured
        figures.
    """
    metric = CATALOGUE[axis.metric]
    return {
        "of": printed.of,
        "paper": _paper(printed, axis),
        "ends": [axis.place(one) for one in (printed.low, printed.high) if one is not None],
        "dots": [_dot(one, axis) for one in measured],
        "start": f"{axis.start * metric.factor:,g}",
        "end": f"{axis.end * metric.factor:,g}{_unit(metric)}",
        "zone": axis.metric == SHARE,
        **(_in_words(metric, measured) if measured else {}),
    }


def _paper(printed: PrintedNumber, axis: Axis) -> Row:
    places: Row = {} if printed.value is None else {"value": axis.place(printed.value)}
    if printed.low is None and printed.high is None:
        return places
    low = axis.start if printed.low is None else printed.low
    high = axis.end if printed.high is None else printed.high
    return places | {"low": axis.place(low), "high": axis.place(high)}


def _dot(one: MeasuredNumber, axis: Axis) -> Row:
    if one.low is None or one.high is None:
        return {"at": axis.place(one.median)}
    return {"at": axis.place(one.median), "low": axis.place(one.low), "high": axis.place(one.high)}


def _in_words(metric: Metric, measured: Sequence[MeasuredNumber]) -> Row:
    """The only figure with its interval, or the lowest and the highest of several."""
    counts = dict.fromkeys((min(one.n for one in measured), max(one.n for one in measured)))
    trials = f"n\u00a0=\u00a0{' to '.join(map(str, counts))}"
    first, *others = sorted(measured, key=lambda one: one.median)
    if others:
        words = (
            f"{_bounded(metric, first.median, first)} to {_bounded(metric, others[-1].median, others[-1])}"
        )
        return {"words": words + _unit(metric), "trials": f"{len(measured)} figures, {trials}"}
    words = _bounded(metric, first.median, first) + _unit(metric)
    ends = [_bounded(metric, one, first) for one in (first.low, first.high) if one is not None]
    return {"words": words, "interval": " to ".join(ends), "trials": trials}


def _bounded(metric: Metric, value: float, one: MeasuredNumber) -> str:
    """A value without its unit; with `≥` if it is a lower bound."""
    return bound_mark(value, one.at_least) + _number(metric, value)


def _number(metric: Metric, value: float) -> str:
    """A value without its unit: a fraction as percent, unless nobody writes its metric so."""
    return f"{value:,.{metric.decimals}f}" if metric.shown else number(value, metric.unit)


def _unit(metric: Metric) -> str:
    """The unit with the space before it; empty if the metric is written without one."""
    return f"\u00a0{metric.shown_unit}" if metric.shown_unit else ""
