"""A share over the cycles: a dot and an interval for each that measured it. Partial over-cycles.html."""

from collections.abc import Iterable, Sequence

from scripts.figures.figure import Figure
from scripts.figures.words import median_words, verdict_words
from scripts.site import Row
from scripts.site.drawn.strip import DECIDED, TONES

WIDTH, HEIGHT = 200, 40
"""The view box. A share of 100 % is in the middle of its height."""


def drawn_cycles(shares: Sequence[tuple[int, Figure]], cycles: int, breaks: Iterable[int] = ()) -> Row:
    """What over-cycles.html draws.

    Args:
        shares: the share of each cycle that measured it, with the cycle's place from 0, in their order.
        cycles: the number of cycles on the axis.
        breaks: the places of cycles whose method, code or host differs from the cycle before.

    Returns:
        `marks` (the `class` and the `d` of each path), and `words`: the latest share with its verdict. A
        share without a verdict is a hollow dot.
    """
    known = [(place, share) for place, share in shares if share.median is not None and not share.unable]
    marks: list[Row] = [
        {"class": "e", "d": "".join(f"M{round(WIDTH * place / cycles)} 0v{HEIGHT}" for place in breaks)}
    ]
    for verdict in (*DECIDED, None):
        mine = [(p, one) for p, one in known if _look(one) == verdict]
        tone = TONES.get(verdict or "", "")
        dots = "".join(f"M{_x(place, cycles)} {_y(one.median)}h.1" for place, one in mine)
        bars = "".join(
            f"M{_x(place, cycles)} {_y(one.low)}V{_y(one.high)}" for place, one in mine if one.low is not None
        )
        marks += [{"class": f"i{tone}", "d": bars}, {"class": f"d{tone}", "d": dots}]
        if verdict is None:
            marks.append({"class": "h", "d": dots})
    words = ""
    if known:
        last = known[-1][1]
        words = ", ".join(filter(None, [median_words(last), verdict_words(last)]))
    return {"marks": [mark for mark in marks if mark["d"]], "words": words}


def _look(share: Figure) -> str | None:
    """The verdict that gives a share its look; None for a hollow dot."""
    return share.verdict if share.verdict in DECIDED and not share.against_itself else None


def _x(place: int, cycles: int) -> int:
    return round(WIDTH * (place + 0.5) / cycles)


def _y(share: float | None) -> int:
    """The height of a share from 0 to 200 %."""
    return round(HEIGHT * (1 - min(1.0, max(0.0, (share or 0.0) / 2))))
