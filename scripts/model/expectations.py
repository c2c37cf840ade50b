"""What a campaign expects before it is measured (config/schemas/campaign.yaml describes each field).

An expectation is a sentence with checks. A check compares a measured figure with numbers or with another
figure. The table `expectations` has the verdicts (scripts/tables/expectations.sql).
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from scripts.base.records import Number
from scripts.model.pairs import SEPARATOR, contenders, pair_name
from scripts.model.size_classes import ALL

Relation = Literal["between", "below", "above"]


@dataclass(frozen=True)
class Metric:
    """The words of a metric, and the table that has its figures."""

    words: str
    table: str


METRICS = {
    "slowdown": Metric("slowdown", "completions"),
    "srpt_slowdown": Metric("slowdown under SRPT", "completions"),
    "fct_ms": Metric("completion time in ms", "completions"),
    "data_ms": Metric("time from the first data to the last in ms", "completions"),
    "retransmissions": Metric("retransmissions", "completions"),
    "share": Metric("MmF share", "pairs"),
    "throughput_mbps": Metric("throughput in Mbps", "pairs"),
    "loss_rate": Metric("loss rate", "pairs"),
    "queueing_delay_ms": Metric("queueing delay in ms", "pairs"),
    "utilization": Metric("utilization", "pairs"),
    "fness": Metric("fness", "pairs"),
    "k": Metric("K", "pairs"),
    "harm_throughput": Metric("harm to throughput", "pairs"),
    "harm_delay": Metric("harm to the RTT", "pairs"),
    "harm_loss": Metric("harm by loss", "pairs"),
    "wire_rate_mbps": Metric("wire rate in Mbps", "solo"),
    "queue_fraction": Metric("mean queue, as a fraction of the buffer", "orders"),
    "retransmitted_packets": Metric("retransmitted packets", "orders"),
    "fness_in_order": Metric("fness of the two clients", "orders"),
    "link_fraction": Metric("fraction of the link that BBR flows get", "models"),
    "link_fraction_error": Metric("fraction of the link that BBR flows get, minus the model", "models"),
    "mathis_ratio": Metric("goodput, divided by that of the Mathis model", "models"),
    "padhye_ratio": Metric("goodput, divided by that of the Padhye model", "models"),
    "prediction_error": Metric("fraction of the link, minus the one predicted from pairs", "predictions"),
    "k_percentile": Metric("1 − the 90th percentile of |K| over all settings", "fmp"),
    "web_visually_complete_s": Metric("page load time in s", "qoe_pairs"),
}
"""The metrics of a figure. Those of the table `completions` need a statistic."""

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

INSTANCES = {
    "first": "first client",
    "second": "second client",
    "both": "both clients",
    "worse_off": "worse-off client",
    "better_off": "better-off client",
}
"""The instances of a self-pair, in words."""

SELF_PAIR_INSTANCES = {
    "completions": ("first", "second", "both"),
    "orders": ("first", "second"),
    "pairs": ("worse_off", "better_off"),
    "qoe_pairs": ("worse_off", "better_off"),
}
"""The instances that a self-pair has in a table. In the other tables it has one row, `first`."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured figure: a row of the table of its metric, by its key. Without a `contender`: alone.

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
    def table(self) -> str:
        """The table that has it."""
        return METRICS[self.metric].table

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
        statistic = f"{STATISTICS[self.statistic]} " if self.statistic else ""
        figure = f"{statistic}{METRICS[self.metric].words}{groups}"
        return f"{figure}, {sizes}{self._matchup}, {self.setting}"

    @property
    def _matchup(self) -> str:
        if not self.contender:
            return f"{self.service} alone"
        told_apart = self.of_self_pair and self.table in SELF_PAIR_INSTANCES
        client = f", {INSTANCES[self.instance]}" if told_apart else ""
        return f"{self.service} against {self._opponents}{client}"

    @property
    def _opponents(self) -> str:
        """The contenders as a campaign may write them, such as `iperf-cubic_16`."""
        counts = sorted(Counter(contenders(self.contender)).items())
        return SEPARATOR.join(service if count == 1 else f"{service}_{count}" for service, count in counts)


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
