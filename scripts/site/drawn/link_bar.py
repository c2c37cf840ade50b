"""The link as a bar: what two services get alone, what is fair, and what they get together.

The partial is link-bar.html.
"""

from dataclasses import dataclass
from typing import Literal

from scripts.site import Row

Side = Literal["a", "b"]

NARROWEST = 12.0
"""A segment narrower than so many percent of the link has no room for its number."""

FAIR_BY = 0.05
"""A service that is so many Mbps below its fair rate, or fewer, is not below it."""


@dataclass(frozen=True)
class Segment:
    """The part of one service in a bar: `a` is blue and begins at the left, `b` is rose."""

    side: Side
    rate_mbps: float


@dataclass(frozen=True)
class Bar:
    """A row: its title and its segments from the left; `tall` if it is the one that counts."""

    title: str
    segments: tuple[Segment, ...]
    tall: bool = False


@dataclass(frozen=True)
class LinkBar:
    """The rows of a link; the fair split of the tall row is at `fair_mbps` from the left."""

    capacity_mbps: float
    rows: tuple[Bar, ...]
    fair_mbps: float


def link_bar(
    capacity_mbps: float,
    names: tuple[str, str],
    alone_mbps: tuple[float | None, float | None],
    fair_mbps: tuple[float, float],
    together_mbps: tuple[float, float],
) -> LinkBar:
    """The link of a pair, service a first.

    Args:
        capacity_mbps: the rate of the link.
        names: the short titles of both services.
        alone_mbps: their median wire rates alone; None without a solo, which then has no row.
        fair_mbps: their max-min fair rates.
        together_mbps: their median wire rates in the pair.
    """
    sides: tuple[Side, Side] = ("a", "b")
    alone = [
        Bar(f"{name} alone", (Segment(side, rate),))
        for name, side, rate in zip(names, sides, alone_mbps, strict=True)
        if rate is not None
    ]
    fair, together = (
        tuple(Segment(side, rate) for side, rate in zip(sides, rates, strict=True))
        for rates in (fair_mbps, together_mbps)
    )
    rows = (*alone, Bar("Fair", fair), Bar("Together", together, tall=True))
    return LinkBar(capacity_mbps, rows, fair_mbps[0])


def drawn_bar(bar: LinkBar) -> Row:
    """What link-bar.html draws.

    Returns:
        `rows`, each with `title`, `words` (the rates), `tall` and `segments` with places in percent; `cut`,
        the place of the fair split; `gap` between the first service and its fair rate, or None.
    """
    first = next(segment.rate_mbps for row in bar.rows if row.tall for segment in row.segments)
    below = bar.fair_mbps - first
    cut, end = (_percent(rate, bar) for rate in (bar.fair_mbps, first))
    gap: Row = {
        "from": f"{min(cut, end):g}%",
        "to": f"{max(cut, end):g}%",
        "words": f"{abs(below):.1f}\u00a0Mbps {'below' if below > 0 else 'above'} fair",
        "anchor": "end" if max(cut, end) > 60 else "start",
    }
    return {
        "rows": [_row(row, bar) for row in bar.rows],
        "cut": f"{cut:g}%",
        "gap": gap if abs(below) > FAIR_BY else None,
    }


def _row(row: Bar, bar: LinkBar) -> Row:
    segments: list[Row] = []
    start = 0.0
    for place, segment in enumerate(row.segments):
        width = _percent(segment.rate_mbps, bar)
        at_end = place == len(row.segments) - 1 > 0
        segments.append(
            {
                "class": f"f{segment.side}",
                "x": f"{start:g}%",
                "width": f"{width:g}%",
                "text": f"{segment.rate_mbps:.1f}" if width >= NARROWEST else "",
                "at": f"{start + width - 1.5 if at_end else start + 1.5:g}%",
                "anchor": "end" if at_end else "start",
            }
        )
        start += width
    words = " and ".join(f"{segment.rate_mbps:.1f}" for segment in row.segments)
    return {"title": row.title, "tall": row.tall, "words": f"{words}\u00a0Mbps", "segments": segments}


def _percent(rate_mbps: float, bar: LinkBar) -> float:
    return round(100 * min(1.0, rate_mbps / bar.capacity_mbps), 1)
