"""What a campaign expects before it is measured (config/schemas/campaign.yaml describes each field).

An expectation is a sentence with checks. A check compares a measured figure with numbers or with another
figure. The table `expectations` has the verdicts (scripts/tables/expectations.sql).
"""

from dataclasses import dataclass
from typing import Literal

from scripts.base.records import Number
from scripts.model.pairs import contenders, pair_name
from scripts.model.size_classes import ALL

Relation = Literal["between", "below", "above"]


@dataclass(frozen=True, kw_only=True)
class FigureKey:
    """Which figure: the row of the table of its metric (scripts/figures/). Without a `contender`: alone.

    Only a figure of the table `completions` has a `statistic`, a `subject` and a `size_class`. The `setting`
    of one of the table `fmp` is a sweep.
    """

    setting: str
    service: str
    contender: str = ""
    instance: str = "first"
    subject: str = "flow"
    size_class: str = ALL
    metric: str
    statistic: str = ""

    @property
    def pair(self) -> str:
        """The name of its pair; the service alone has the service's name."""
        return pair_name([self.service, *contenders(self.contender)])

    @property
    def of_self_pair(self) -> bool:
        """Whether the service meets nothing but itself."""
        return {*contenders(self.contender)} == {self.service}


@dataclass(frozen=True)
class Multiple:
    """Another figure, multiplied by `times`."""

    figure: FigureKey
    times: Number = 1


@dataclass(frozen=True)
class Check:
    """One comparison: `figure` is `between` two numbers, or `below` or `above` a number or another figure.

    Exactly one of the three is not None.
    """

    figure: FigureKey
    between: tuple[Number, Number] | None = None
    below: Number | Multiple | None = None
    above: Number | Multiple | None = None

    @property
    def relation(self) -> Relation:
        """Which of the three it is."""
        if self.between is not None:
            return "between"
        return "above" if self.below is None else "below"

    @property
    def bound(self) -> Number | Multiple | None:
        """What the figure is compared with; None of a check with `between`."""
        return self.above if self.below is None else self.below

    @property
    def figures(self) -> list[FigureKey]:
        """The figure, and the other one if there is one."""
        return [self.figure, *([self.bound.figure] if isinstance(self.bound, Multiple) else [])]

    @property
    def numbers(self) -> tuple[Number, Number] | None:
        """The numbers that the figure is compared with, one or the same twice; None: with another figure."""
        if isinstance(self.bound, int | float):
            return self.bound, self.bound
        return self.between


@dataclass(frozen=True)
class Expectation:
    """An expectation: a sentence from a source, and the checks that must all come out."""

    name: str
    says: str
    source: str
    checks: tuple[Check, ...]
