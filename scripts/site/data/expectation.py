"""What a campaign expected, when it was stated, and what came out, as summary.json has it."""

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from scripts.base.records import Number, about

ExpectationVerdict = Literal["came out", "did not", "undecided", "not comparable"]
"""`undecided`: the interval holds both answers. `not comparable`: it says nothing, for one of CAUSES."""

Cause = Literal[
    "outside the domain of the model",
    "the stand-in cannot show it",
    "fewer trials than it needs",
    "not settled",
    "another figure than the printed one",
]
OUTSIDE: Cause = "outside the domain of the model"
"""The only cause that leaves the verdict to the other checks."""

STAND_IN: Cause = "the stand-in cannot show it"

CAUSES: tuple[Cause, ...] = get_args(Cause)
"""Why something cannot be compared. Only a file of config/papers/ can say the last one; the table
`expectations` tells the others."""

Stated = Literal["before", "after", "unknown"]
"""Whether an expectation stood before its trials were measured (scripts/tables/registration.yaml)."""

NOTHING_SHOWS = "Nothing shows when this was written."


@dataclass(frozen=True)
class NotComparable:
    """Why something cannot be compared."""

    cause: Annotated[Cause, about(enum=list(CAUSES))]
    """From a list (CAUSES in scripts/site/data/expectation.py)."""
    reason: Annotated[str | None, about(minLength=1)] = None
    """Details."""

    @property
    def words(self) -> str:
        """Such as `not settled (still moving)`."""
        return self.cause if self.reason is None else f"{self.cause} ({self.reason})"


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
        why: why it is not comparable; None if it is.
        title: the figure in the titles of its services and its setting; None in older cycles.
    """

    figure: str
    expected: str
    verdict: ExpectationVerdict
    n: int
    median: Number | None = None
    low: Number | None = None
    high: Number | None = None
    at_least: Number | None = None
    compared: str | None = None
    why: NotComparable | None = None
    title: str | None = None


@dataclass(frozen=True)
class ExpectationSummary:
    """An expectation of a campaign.

    Attributes:
        name: its name, such as `one-segment`; unique in the campaign.
        says: the expectation in one sentence.
        source: the paper and its figure, such as `zapletal Fig 4`.
        verdict: `did not` if a check did not, else `undecided` if one is; else `not comparable` if one is,
            unless it is outside the domain of its model and another one came out; else `came out`.
        checks: the comparisons behind it.
        stated: whether it was stated before its trials were measured.
        when: the same in a sentence, with the time.
    """

    name: str
    says: str
    source: str
    verdict: ExpectationVerdict
    checks: tuple[CheckSummary, ...]
    stated: Stated = "unknown"
    when: str = NOTHING_SHOWS
