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

METRICS = {
    "slowdown": "slowdown",
    "srpt_slowdown": "slowdown under SRPT",
    "fct_ms": "completion time in ms",
    "data_ms": "time from the first data to the last in ms",
    "retransmissions": "retransmissions",
}
"""The metrics of a figure, in words."""

STATISTICS = {
    "mean": "mean",
    "q1": "lower quartile of the",
    "median": "median",
    "q3": "upper quartile of the",
    "p95": "95th percentile of the",
    "p99": "99th percentile of the",
    "maximum": "maximum",
}
"""The statistics of a figure, in words before those of the metric."""

CLIENTS = {"first": "first client", "second": "second client", "both": "both clients"}
"""The instances of a self-pair, in words."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured figure: a row of the table `completions`, by its key. Without a `contender`: alone."""

    setting: str
    service: str
    contender: str = ""
    instance: str = "first"
    subject: str = "flow"
    size_class: str = ALL
    metric: str
    statistic: str

    @property
    def pair(self) -> str:
        """The name of its pair; the service alone has the service's name."""
        return pair_name([self.service, *contenders(self.contender)])

    @property
    def of_self_pair(self) -> bool:
        """Whether the service meets nothing but itself."""
        return {*contenders(self.contender)} == {self.service}

    @property
    def words(self) -> str:
        """Such as `median slowdown, 1 to 3 kB, flows-doubling-bbr alone, 100mbps-50ms`."""
        groups = " of groups" if self.subject == "group" else ""
        sizes = "" if self.size_class == ALL else f"{self.size_class}, "
        figure = f"{STATISTICS[self.statistic]} {METRICS[self.metric]}{groups}"
        return f"{figure}, {sizes}{self._matchup}, {self.setting}"

    @property
    def _matchup(self) -> str:
        if not self.contender:
            return f"{self.service} alone"
        client = f", {CLIENTS[self.instance]}" if self.of_self_pair else ""
        return f"{self.service} against {self.contender}{client}"


@dataclass(frozen=True)
class Multiple:
    """Another figure, multiplied by `times`."""

    figure: Figure
    times: Number = 1


@dataclass(frozen=True)
class Check:
    """One comparison: `figure` is `between` two numbers, or `below` or `above` a number or another figure.

    Exactly one of the three is not None.
    """

    figure: Figure
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
    def figures(self) -> list[Figure]:
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
