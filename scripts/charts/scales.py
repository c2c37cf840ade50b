"""The colour scales of the heatmaps: fixed bins, so that a colour means the same in every setting and cycle.

Charts and the HTML tables of a setting both use them. HEATMAPS and HARMS in heatmap_cells.py have the kinds.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from math import inf
from typing import Literal

from scripts.figures.words import SETTLED, SETTLED_MARKS
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE

LOST, WON = "#8a4b06", "#0b6b63"
"""Brown for less than the fair share, teal for more: no service has them, and readers with any common colour
blindness can distinguish them. The style sheet has the same as --losing and --winning."""

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
    "unmeasured": Missing("", "not measured"),
    "invalid": Missing("–", "no valid trial"),
    "unable": Missing("unable", "a service cannot do alone what it must"),
    "incomparable": Missing("?", "no ratio to the service alone"),
    "undecided": Missing("", "undecided, or no verdict"),
}
"""The kinds of cells without a colour. None of them looks like a zero.

All but `undecided` have no value. A share without a verdict has one, but no colour of a verdict.
"""

MARKS = {f"share {word}": Missing(mark, SETTLED[word]) for word, mark in SETTLED_MARKS.items()}
"""The marks below shares that tell whether these have settled."""

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
    "utilization": Scale(
        "%",
        (50, 60, 70, 80, 85, 90, 95, 98),
        (
            *("#f6f2fb", "#e6def2", "#d7cae9", "#c8b6df", "#b9a3d6"),
            *("#9b84bf", "#7f66a9", "#634893", "#4a2a7c"),
        ),
    ),
    "loss": Scale(
        "%",
        (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20),
        (
            *("#fdf4ee", "#f9dacd", "#f4bfac", "#eda58c", "#dc8570"),
            *("#cb6555", "#b8433a", "#99322e", "#7c2123", "#5f1018"),
        ),
    ),
    "delay": Scale(
        "ms",
        (1, 5, 10, 25, 50, 75, 100, 150, 200),
        (
            *("#f1f6fc", "#d2e4f5", "#b2d1ee", "#93bfe6", "#72a5d6"),
            *("#528bc6", "#2f72b5", "#245d99", "#19487f", "#0f3465"),
        ),
    ),
    "harm": Scale(
        "%",
        (0, 10, 25, 50, 75, 90),
        ("#d3e9e4", "#f8f4f7", "#efdcea", "#dfb6d2", "#c98bb6", "#96457f", "#6f2059"),
    ),
}
"""By kind of heatmap. The three kinds of harm share one; below 0 is a gain."""


def luminance(colour: str) -> float:
    """Relative luminance of a colour such as `#1f5f9f` (WCAG 2.2)."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
