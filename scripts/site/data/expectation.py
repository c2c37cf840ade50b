"""What a campaign expected, when it was stated, and what came out, as summary.json has it."""

from dataclasses import dataclass
from typing import Literal

from scripts.base.records import Number

Verdict = Literal["came out", "did not", "undecided", "not comparable"]
"""`undecided`: fewer than six trials, or an interval that holds both answers. `not comparable`: the model
that the figure is compared with does not hold there."""


Stated = Literal["before", "after", "unknown"]
"""Whether an expectation stood before its trials were measured (scripts/tables/registration.yaml)."""

NOTHING_SHOWS = "Nothing shows when this was written."


@dataclass(frozen=True)
class CheckSummary:
    """One comparison of a measured figure with what was expected of it.

    Attributes:
        figure: the figure in words.
        expected: what was expected of it in words, such as `between 1.9 and 2.2`.
        verdict: whether it came out.
        n: the number of valid trials.
        median: the median over the trials; None without a valid one.
        low, high: the ends of its 95 % interval; None below six trials.
        at_least: values from this one on are lower bounds; None if all are exact.
        compared: how the figure and the other one compare over their trials, with the 95 % interval, such as
            `1.21 to 1.39 times as much`; None without another figure, or if they have no such interval.
        reason: why the model does not hold there; None if it does, or if there is none.
    """

    figure: str
    expected: str
    verdict: Verdict
    n: int
    median: Number | None = None
    low: Number | None = None
    high: Number | None = None
    at_least: Number | None = None
    compared: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class ExpectationSummary:
    """An expectation of a campaign.

    Attributes:
        name: its name, such as `one-segment`; unique in the campaign.
        says: the expectation in one sentence.
        source: the paper and its figure, such as `zapletal Fig 4`.
        verdict: `came out` if every comparable check did, `did not` if one did not, `not comparable` if no
            check is, else `undecided`.
        checks: the comparisons behind it.
        stated: whether it was stated before its trials were measured.
        when: the same in a sentence, with the time.
    """

    name: str
    says: str
    source: str
    verdict: Verdict
    checks: tuple[CheckSummary, ...]
    stated: Stated = "unknown"
    when: str = NOTHING_SHOWS
