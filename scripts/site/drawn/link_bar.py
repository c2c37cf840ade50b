"""The link as a bar: what two services get alone, what is fair, and what they get together.

The partial is link-bar.html.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.site import Row

NARROWEST = 12.0
"""A segment narrower than so many percent of the link has no room for its number."""

FAIR_BY = 0.05
"""A service that is so many Mbps below its fair rate, or fewer, is not below it."""

Rates = tuple[float | None, float | None]
"""The rates of both services in Mbps: of `a`, which is blue and at the left, and of `b`. None: not there."""


@dataclass(frozen=True)
class Bar:
    """A row: its title and its rates; `tall` if it is the one that counts."""

    title: str
    rates_mbps: Rates
    tall: bool = False


def drawn_bar(capacity_mbps: float, bars: Iterable[Bar], fair_mbps: float) -> Row:
    """What link-bar.html draws.

    Args:
        capacity_mbps: the rate of the link.
        bars: its rows. Those without a rate are left out.
        fair_mbps: where the fair split of the tall row is, from the left.

    Returns:
        `rows`, each with `title`, `words` (the rates), `tall` and `segments` with places in percent; `cut`,
        the place of the fair split; `gap` between the first service and its fair rate, or None.
    """
    known = [bar for bar in bars if bar.rates_mbps != (None, None)]
    together = next(bar.rates_mbps for bar in known if bar.tall)
    first = together[0] or 0.0
    below = fair_mbps - first
    cut, end = (_percent(rate, capacity_mbps) for rate in (fair_mbps, first))
    gap: Row = {
        "from": f"{min(cut, end):g}%",
        "to": f"{max(cut, end):g}%",
        "words": _gap_words(together, below, capacity_mbps),
        "anchor": "end" if max(cut, end) > 60 else "start",
    }
    return {
        "rows": [_row(bar, capacity_mbps) for bar in known],
        "cut": f"{cut:g}%",
        "gap": gap if abs(below) > FAIR_BY else None,
    }


def _gap_words(together: Rates, below_mbps: float, capacity_mbps: float) -> str:
    """How far the first service is from fair, and the rate of a service whose segment has no room for it."""
    gap, where = f"{abs(below_mbps):.1f}", "below" if below_mbps > 0 else "above"
    first, second = (
        rate if rate and _percent(rate, capacity_mbps) < NARROWEST else None for rate in together
    )
    if first is not None:
        return f"{first:.1f}\u00a0Mbps, {gap} {where} fair"
    return f"{gap}\u00a0Mbps {where} fair" + ("" if second is None else f", leaves {second:.1f}")


def _row(row: Bar, capacity_mbps: float) -> Row:
    rates = [(side, rate) for side, rate in zip("ab", row.rates_mbps, strict=True) if rate is not None]
    segments: list[Row] = []
    start = 0.0
    for place, (side, rate) in enumerate(rates):
        width, at_end = _percent(rate, capacity_mbps), place > 0
        segments.append(
            {
                "class": f"f{side}",
                "x": f"{start:g}%",
                "width": f"{width:g}%",
                "text": f"{rate:.1f}" if width >= NARROWEST else "",
                "at": f"{start + width - 1.5 if at_end else start + 1.5:g}%",
                "anchor": "end" if at_end else "start",
            }
        )
        start += width
    words = " and ".join(f"{rate:.1f}" for _side, rate in rates)
    return {"title": row.title, "tall": row.tall, "words": f"{words}\u00a0Mbps", "segments": segments}


def _percent(rate_mbps: float, capacity_mbps: float) -> float:
    return round(100 * min(1.0, rate_mbps / capacity_mbps), 1)
