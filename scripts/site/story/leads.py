"""Whether a figure may be called the first of its kind in a setting, and the number beside it.

The first of many figures is the first partly by chance (scripts/metrics/leads.py). A sentence calls it the
first only if its rank is certain, and prints it without that chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.figures.figure import Figure
from scripts.figures.words import amount, certainty_words, median_words, number, several, unit_of


@dataclass(frozen=True)
class Lead:
    """How the first of some figures compares with the others.

    Attributes:
        tied: how many pairs or services cannot be told apart from the first, which is one of them.
        of: how many are compared: those with the trials that an interval of a rank needs.
        exclusive: whether only one figure may be the first, so not both sides of one pair.
    """

    tied: int
    of: int
    exclusive: bool

    @property
    def certain(self) -> bool:
        """Whether the first of several is the first beyond chance."""
        return self.exclusive and self.of > 1


def lead_in(figures: Sequence[Figure], *, highest: bool = False) -> Lead:
    """The lead of the lowest or the highest of these figures; both sides of a pair count once."""
    flags = [(row.pair, row.may_be_highest if highest else row.may_be_lowest) for row in figures]
    compared = {pair for pair, flag in flags if flag is not None}
    firsts = [pair for pair, flag in flags if flag]
    return Lead(len({*firsts}), len(compared), len(firsts) == 1)


def others_words(lead: Lead, noun: str) -> str:
    """`6 of 65 other pairs cannot be told apart from this one`; empty if all can, or none is compared."""
    if lead.tied < 2:
        return ""
    return f"{lead.tied - 1} of {several(lead.of - 1, f'other {noun}')} cannot be told apart from this one"


def first_words(figure: Figure) -> str:
    """A figure without the chance that put it first, such as `75 %`; its median if that is not known."""
    return median_words(figure) if figure.shrunk is None else amount(figure.shrunk, figure.unit)


def first_certainty(figure: Figure) -> str:
    """The interval that belongs to `first_words`, and the median itself."""
    if figure.shrunk is None or figure.shrunk_low is None or figure.shrunk_high is None:
        return certainty_words(figure)
    ends = " to ".join(number(end, figure.unit) for end in (figure.shrunk_low, figure.shrunk_high))
    interval = f"95\u00a0% interval {ends}\u00a0{unit_of(figure)}, corrected for chance"
    return f"{interval}; median {median_words(figure)}, n\u00a0=\u00a0{figure.n}"
