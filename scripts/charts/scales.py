"""The scales of the heatmaps: fixed bins, so that a look means the same in every setting and cycle.

A colour is a verdict on a share. The bins of other metrics are shades of grey. Charts and the HTML tables of
a setting both use them. HEATMAPS and HARMS in heatmap_cells.py have the kinds.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from math import inf
from typing import Literal

from scripts.figures.figure import MOVES
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE

LOST, WON = "#8a4b06", "#0b6b63"
"""Brown for less than the fair share, teal for more: no service has them, and readers with any common colour
blindness can distinguish them. The style sheet has the same as --losing and --winning, and the tones of
shares as --s0 to --s8."""

Ink = Literal["dark", "light"]
INKS: dict[Ink, str] = {"dark": "#17191c", "light": "#ffffff"}
_LIGHT_INK_BELOW = 0.19  # Luminance. No bin is between this and 0.215, where no ink has a contrast of 4.5.


@dataclass(frozen=True)
class Scale:
    """Bins of a quantity, each with a colour.

    Attributes:
        unit: the unit of the breaks and of the values shown.
        breaks: the ends between bins, ascending. A value that equals a break is in the bin above it.
        colours: one for each bin, from the lowest to the highest; one more than `breaks`.
        below_from: a value that equals a break from here on is in the bin below it: 110 % is still fair.
    """

    unit: str
    breaks: tuple[float, ...]
    colours: tuple[str, ...]
    below_from: float = inf

    def level(self, value: float) -> int:
        """The number of the bin of a value in the scale's unit, from 0."""
        value = round(value, 9)  # 1.1 times 100 is not 110.
        if value < self.below_from:
            return bisect_right(self.breaks, value)
        return bisect_left(self.breaks, value)

    def ink(self, level: int) -> Ink:
        """The text on a bin whose contrast is at least 4.5 : 1."""
        return "light" if luminance(self.colours[level]) < _LIGHT_INK_BELOW else "dark"

    def words(self, level: int) -> str:
        """The bin in words: `below 25`, `25–50`, `20 and more`; without the unit."""
        if level == 0:
            return f"below {self.breaks[0]:g}"
        if level < len(self.breaks):
            return f"{self.breaks[level - 1]:g}–{self.breaks[level]:g}"
        last = self.breaks[-1]
        return f"above {last:g}" if last >= self.below_from else f"{last:g} and more"


@dataclass(frozen=True)
class Missing:
    """A cell without a value: the text in it, and what it means."""

    text: str
    meaning: str


MISSING = {
    "unmeasured": Missing("·", "not measured"),
    "invalid": Missing("×", "no valid trial"),
    "unable": Missing("–", "a service cannot do alone what it must"),
    "incomparable": Missing("?", "no ratio to the service alone"),
    "undecided": Missing("", "undecided"),
    "few": Missing("", "no verdict yet: fewer than six trials, or the cycle still runs"),
    "self": Missing("", "against itself, no verdict: the instance that got less in each trial"),
}
"""The kinds of cells without a colour. None of them looks like a zero.

The last three have a value, but no colour of a verdict: they are hatched, dashed and outlined.
"""

MOVING = Missing("≠", f"{MOVES}: the share in the second half of the steady window is not that in the first")
"""The mark of a share that has not settled."""


def _greys(count: int) -> tuple[str, ...]:
    """Shades from the lightest to the darkest. Dark ink is legible on each."""
    values = [round(0xF4 - (0xF4 - 0x9C) * level / (count - 1)) for level in range(count)]
    return tuple(f"#{value:02x}{value:02x}{value:02x}" for value in values)


SCALES = {
    "share": Scale(
        "%",
        (25, 50, 75, 100 * LOSING_BELOW, 100 * WINNING_ABOVE, 125, 150, 200),
        (
            *("#6e3b04", "#a36421", "#d1a065", "#efd8b0"),
            "#f6f3ec",
            *("#bde1d8", "#74b9af", "#287d74", "#064a45"),
        ),
        below_from=100,
    ),
    "utilization": Scale("%", (50, 60, 70, 80, 85, 90, 95, 98), _greys(9)),
    "loss": Scale("%", (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20), _greys(10)),
    "delay": Scale("ms", (1, 5, 10, 25, 50, 75, 100, 150, 200), _greys(10)),
    "harm": Scale("%", (0, 10, 25, 50, 75, 90), _greys(7)),
}
"""By kind of heatmap. The three kinds of harm share one; below 0 is a gain."""


def luminance(colour: str) -> float:
    """Relative luminance of a colour such as `#1f5f9f` (WCAG 2.2)."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
