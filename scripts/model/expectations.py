"""What a campaign expects before it is measured.

An expectation is a sentence with checks. A check compares a measured figure with numbers or with another
figure. The table `expectations` has the verdicts (scripts/tables/expectations.sql).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from scripts.base.records import Number, about, with_rules
from scripts.model.pairs import JOINED, Name, contenders, pair_name
from scripts.model.size_classes import ALL

_SHARED = "The keys that the figures of all checks share."

Relation = Literal["between", "below", "above"]


@with_rules(required=[])
@dataclass(frozen=True, kw_only=True)
class FigureKey:
    """Which figure: the median over trials of one row of the table of its metric, by its key."""

    setting: str
    """A setting; for k_percentile a sweep."""
    service: Name
    """A service."""
    contender: Annotated[str, about(pattern=f"^({JOINED})?$")] = ""
    """The services it meets, joined by ~ as in pairs. Default is none, the service alone."""
    instance: Annotated[str, about(enum=["first", "second", "both", "worse_off", "better_off"])] = "first"
    """Which client of a service against itself. Completion times have first, second and both, other metrics
    first and second, or worse_off and better_off."""
    subject: Annotated[str, about(enum=["flow", "group"])] = "flow"
    """Only of completion times."""
    size_class: str = ALL
    """Only of completion times, such as 1 to 3 kB (scripts/model/size_classes.py)."""
    metric: str
    """A metric of scripts/figures/catalogue.yaml that has a table."""
    statistic: Annotated[str, about(enum=["mean", "q1", "median", "q3", "p95", "p99", "maximum"])] = ""
    """Only of completion times, and needed there."""

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
    """The keys that the expectation's own `figure` lacks."""
    times: Annotated[Number, about(exclusiveMinimum=0)] = 1
    """The factor."""


@with_rules(required=[], oneOf=[{"required": [key]} for key in ("between", "below", "above")])
@dataclass(frozen=True)
class Check:
    """One figure, and what is expected of it: exactly one of `between`, `below` and `above`."""

    figure: FigureKey
    """The keys that the expectation's own `figure` lacks."""
    between: tuple[Number, Number] | None = None
    """The lowest and the highest number."""
    below: Number | Multiple | None = None
    """A number, or another figure multiplied by times."""
    above: Number | Multiple | None = None
    """A number, or another figure multiplied by times."""

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


@with_rules(properties={"figure": {"$ref": "#/$defs/FigureKey", "description": _SHARED}})
@dataclass(frozen=True)
class Expectation:
    """A sentence from a source, and checks that must all come out. `figure` has what they share."""

    name: Name
    """The name."""
    says: Annotated[str, about(minLength=1)]
    """The expectation in one sentence."""
    source: Annotated[str, about(minLength=1)]
    """The paper and its figure or section, such as zapletal Fig 4."""
    checks: Annotated[tuple[Check, ...], about(minItems=1)]
    """What the sentence means in figures."""
