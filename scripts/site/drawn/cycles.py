"""A figure over the cycles: a dot and an interval for each that measured it. Partial over-cycles.html."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scripts.figures.figure import SHARE, Figure
from scripts.figures.words import median_words, verdict_words
from scripts.site import Row
from scripts.site.drawn.strip import DECIDED, TONES

WIDTH, HEIGHT = 200, 40
"""The view box."""

SHARE_END = 2.0
"""The end of the axis of shares: the fair one is in the middle of its height."""


@dataclass(frozen=True)
class DrawnCycles:
    """What over-cycles.html draws.

    Attributes:
        marks: the `class` and the `d` of each path. A share without a verdict, and another figure without an
            interval, is a hollow dot.
        words: the latest figure, with its verdict if it is a share; empty without one.
        share: whether it is a share, which has a fair zone.
    """

    marks: tuple[Row, ...]
    words: str
    share: bool


def drawn_cycles(
    figures: Sequence[tuple[int, Figure]], cycles: int, breaks: Iterable[int] = (), end: float = SHARE_END
) -> DrawnCycles:
    """A figure over the cycles.

    Args:
        figures: the figure of each cycle that measured it, with the cycle's place from 0, in their order.
        cycles: the number of cycles on the axis.
        breaks: the places of cycles whose method, code or host differs from the cycle before.
        end: the end of the vertical axis, which begins at 0, in the unit of the figures.
    """
    known = [
        (place, figure)
        for place, figure in figures
        if figure.median is not None and not (figure.figure == SHARE and figure.unable)
    ]
    marks: list[Row] = [
        {"class": "e", "d": "".join(f"M{round(WIDTH * place / cycles)} 0v{HEIGHT}" for place in breaks)}
    ]
    for verdict in (*DECIDED, None):
        mine = [(p, figure) for p, figure in known if _look(figure) == verdict]
        tone = TONES.get(verdict or "", "")
        dots = "".join(f"M{_x(place, cycles)} {_y(figure.median, end)}h.1" for place, figure in mine)
        bars = "".join(
            f"M{_x(place, cycles)} {_y(figure.low, end)}V{_y(figure.high, end)}"
            for place, figure in mine
            if figure.low is not None
        )
        marks += [{"class": f"i{tone}", "d": bars}, {"class": f"d{tone}", "d": dots}]
        if verdict is None:
            marks.append({"class": "h", "d": dots})
    words = ""
    if known:
        last = known[-1][1]
        words = ", ".join(filter(None, [median_words(last), verdict_words(last)]))
    share = all(figure.figure == SHARE for _place, figure in figures)
    return DrawnCycles(tuple(mark for mark in marks if mark["d"]), words, share)


def _look(figure: Figure) -> str | None:
    """The verdict that gives a figure its look; None for a hollow dot. A figure that is no share has none."""
    if figure.figure != SHARE:
        return None if figure.low is None else "fair"
    return figure.verdict if figure.verdict in DECIDED and not figure.against_itself else None


def _x(place: int, cycles: int) -> int:
    return round(WIDTH * (place + 0.5) / cycles)


def _y(value: float | None, end: float) -> int:
    """The height of a value from 0 to the end of the axis."""
    return round(HEIGHT * (1 - min(1.0, max(0.0, (value or 0.0) / end))))
