"""A strip: dots on a line, with the median and its interval, beside its number. Partial strip.html."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import median

from scripts.figures.figure import Figure
from scripts.figures.words import verdict_words
from scripts.site import Row

WIDTH = 200
"""The width of the view box: a share of 100 % is in its middle."""

TONES = {"losing": " lo", "winning": " wi"}
"""The classes of what has a verdict. What is fair or undecided has none."""

DECIDED = ("losing", "fair", "winning")


@dataclass(frozen=True)
class StripDot:
    """A dot of a strip.

    Attributes:
        value: its place, in the unit of the strip's range.
        verdict: `losing` or `winning` give it a colour; others and None do not.
        hollow: whether it is undecided, has too few trials, or is excluded.
    """

    value: float
    verdict: str | None = None
    hollow: bool = False


@dataclass(frozen=True)
class Strip:
    """What a strip shows.

    Attributes:
        number: the number beside it, such as `41 %`.
        words: what follows the number, such as `39 to 50 %, n = 8`; may be empty.
        dots: in any order; those beyond the range are drawn at its end.
        median: a line across, or below the dots if there is an interval; beyond the range an arrowhead.
        interval: the ends of the interval of the median.
        verdict: the verdict on the median, which colours number and interval.
        moved: the ends of a thin line, from what was before to what is now.
        low: the left end of the range.
        high: its right end. Only the range of shares, 0 to 200, has the fair zone.
    """

    number: str
    words: str = ""
    dots: tuple[StripDot, ...] = ()
    median: float | None = None
    interval: tuple[float, float] | None = None
    verdict: str | None = None
    moved: tuple[float, float] | None = None
    low: float = 0
    high: float = 200


def cell_strip(share: Figure, trials: Iterable[tuple[float, bool]]) -> Strip:
    """The strip of one cell: a dot for each trial, the median and its interval.

    Args:
        share: the figure of the cell.
        trials: the share of each trial as a fraction, and whether it counts.
    """
    tone = share.verdict if not share.against_itself else None
    ends = None if share.low is None or share.high is None else (share.low, share.high)
    return shares_strip(trials, share.n, share.median, ends, tone)


def judged_strip(share: Figure, trials: Iterable[tuple[float, bool]] = ()) -> Row:
    """The drawn strip of one cell (`cell_strip`), with its verdict and whether its share has settled."""
    strip = cell_strip(share, trials)
    words = ", ".join(filter(None, (strip.words, verdict_words(share))))
    return drawn_strip(replace(strip, words=words))


def shares_strip(
    trials: Iterable[tuple[float, bool]],
    n: int,
    median: float | None,
    ends: tuple[float, float] | None,
    verdict: str | None,
) -> Strip:
    """The strip of the shares of one service, all as fractions of the fair one.

    Args:
        trials: the share of each trial, and whether it counts.
        n: how many trials count.
        median: the median of those that count.
        ends: those of its interval.
        verdict: the verdict; one that decides nothing counts as none.
    """
    tone = verdict if verdict in DECIDED else None
    interval = None if ends is None else (100 * ends[0], 100 * ends[1])
    words = "" if interval is None else f"{interval[0]:.0f} to {interval[1]:.0f}\u00a0%, "
    return Strip(
        number="–" if median is None else f"{100 * median:.0f}\u00a0%",
        words=f"{words}n\u00a0=\u00a0{n}",
        dots=tuple(StripDot(100 * value, tone, hollow=not (counts and tone)) for value, counts in trials),
        median=None if median is None else 100 * median,
        interval=interval,
        verdict=tone,
    )


def opponents_strip(shares: Iterable[Figure]) -> Row | None:
    """The drawn strip of a service: a dot for each opponent, and their median; None without a value.

    Args:
        shares: the shares that it gets from, or leaves to, each opponent. Those without a value do not count.
    """
    known = [
        (100 * share.median, share.verdict)
        for share in shares
        if share.median is not None and not share.unable
    ]
    if not known:
        return None
    middle = median(value for value, _verdict in known)
    dots = tuple(StripDot(value, verdict, hollow=verdict not in DECIDED) for value, verdict in known)
    return drawn_strip(Strip(f"{middle:.0f}", dots=dots, median=middle))


def drawn_strip(strip: Strip) -> Row:
    """What strip.html draws.

    Returns:
        `marks` (the `class` and the `d` of each path), `height` of the view box, `number`, `words`, `tone`
        (the class of the number) and `shares` (whether the range is that of shares).
    """
    rows = 2 if strip.interval and strip.dots else 1
    marks = _dots(strip, 6 if rows == 2 else 4)
    if strip.moved:
        start, end = (_place(strip, value) for value in strip.moved)
        marks.insert(0, {"class": "e", "d": f"M{start} 4H{end}"})
    if strip.interval:
        low, high = (_place(strip, end) for end in strip.interval)
        look = f"i{TONES.get(strip.verdict or '', '')}"
        marks.append({"class": look, "d": f"M{low} {15 if rows == 2 else 4}H{high}"})
    if strip.median is not None:
        place, top = _place(strip, strip.median), 11 if rows == 2 else 0
        beyond = strip.median > strip.high + (strip.high - strip.low) / WIDTH
        marks.append({"class": "m", "d": f"M{place - 5} {top}l5 4l-5 4" if beyond else f"M{place} {top}v8"})
    return {
        "marks": marks,
        "height": 20 if rows == 2 else 8,
        "number": strip.number,
        "words": strip.words,
        "tone": strip.verdict if strip.verdict in TONES else "",
        "shares": (strip.low, strip.high) == (0, 200),
    }


def _dots(strip: Strip, y: int) -> list[Row]:
    """One path for the dots of each look; hollow ones have a smaller dot of the ground on them.

    Dots of one look at one place are one dot.
    """
    looks: dict[str, dict[int, None]] = {}
    for dot in sorted(strip.dots, key=lambda dot: (dot.hollow, dot.verdict or "", dot.value)):
        tone = "" if dot.hollow else TONES.get(dot.verdict or "", "")
        for look in (f"d{tone}", "h") if dot.hollow else (f"d{tone}",):
            looks.setdefault(look, {})[_place(strip, dot.value)] = None
    order = sorted(looks, key=lambda look: look == "h")
    return [{"class": look, "d": "".join(f"M{x} {y}h.1" for x in looks[look])} for look in order]


def _place(strip: Strip, value: float) -> int:
    """The horizontal place of a value in the view box."""
    part = (value - strip.low) / (strip.high - strip.low)
    return round(WIDTH * min(1.0, max(0.0, part)))
