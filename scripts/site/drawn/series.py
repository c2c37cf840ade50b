"""Values over the time of a trial, thinned to what the eye can see. Partial series.html."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from scripts.site import Row

WIDTH, HEIGHT = 400, 200
"""The view box."""

Look = Literal["a", "b", "c", "q"]
"""The look of a line: `a` is blue, `b` rose and dashed, `c` grey, `q` a filled area."""

Size = Literal["", "low", "sm"]

Point = tuple[float, float]
"""Seconds, and a value."""

POINTS: dict[Size, int] = {"": 120, "low": 120, "sm": 24}
"""The most points of a line, by the size of the drawing."""


@dataclass(frozen=True)
class SeriesLine:
    """One line: its look and its points."""

    look: Look
    points: Sequence[Point]


@dataclass(frozen=True)
class SmallSeries:
    """What a drawing over time shows.

    Attributes:
        lines: they share both axes.
        seconds: the end of the time axis, which begins at 0.
        top: the end of the vertical axis, which begins at 0. Values above it are drawn at the end.
        words: what the vertical axis shows, such as `throughput, Mbps; dotted: fair`.
        fair: a dotted line at this value.
        window: the steady window in seconds; what is outside is shaded.
        size: large, `low` (as a queue below another drawing), or `sm` (one of many small ones).
    """

    lines: tuple[SeriesLine, ...]
    seconds: float
    top: float
    words: str = ""
    fair: float | None = None
    window: tuple[float, float] | None = None
    size: Size = ""


def thinned(points: Sequence[Point], seconds: float, most: int) -> list[Point]:
    """At most so many points: the mean time and value in each of `most` equal bins of the time."""
    if len(points) <= most:
        return sorted(points)
    bins: dict[int, list[Point]] = {}
    for time, value in sorted(points):
        bins.setdefault(min(most - 1, int(most * time / seconds)), []).append((time, value))
    return [
        (fmean(time for time, _ in points), fmean(value for _, value in points)) for points in bins.values()
    ]


def drawn_series(series: SmallSeries) -> Row:
    """What series.html draws: `paths` (`class` and `d` of each), `size`, `top`, `seconds` and `words`."""
    paths: list[Row] = []
    if series.window:
        start, stop = (_x(series, second) for second in series.window)
        paths.append({"class": "out", "d": f"M0 0H{start}V{HEIGHT}H0ZM{stop} 0H{WIDTH}V{HEIGHT}H{stop}Z"})
    if series.fair is not None:
        paths.append({"class": "fair", "d": f"M0 {_y(series, series.fair)}H{WIDTH}"})
    paths += [{"class": f"p{line.look}", "d": path} for line in series.lines if (path := _path(series, line))]
    return {
        "paths": paths,
        "size": series.size,
        "top": f"{series.top:g}",
        "seconds": f"{series.seconds:g}\u00a0s",
        "words": series.words,
    }


def _path(series: SmallSeries, line: SeriesLine) -> str:
    points = [
        f"{_x(series, time)} {_y(series, value)}"
        for time, value in thinned(line.points, series.seconds, POINTS[series.size])
    ]
    if not points:
        return ""
    path = f"M{' '.join(points)}"
    if line.look != "q":
        return path
    first, last = points[0].split()[0], points[-1].split()[0]
    return f"M{first} {HEIGHT} {' '.join(points)} {last} {HEIGHT}Z"


def _x(series: SmallSeries, second: float) -> int:
    return round(WIDTH * min(1.0, max(0.0, second / series.seconds)))


def _y(series: SmallSeries, value: float) -> int:
    return round(HEIGHT * (1 - min(1.0, max(0.0, value / series.top))))
