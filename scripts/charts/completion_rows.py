"""Rows and words that the charts of generated flows share: completion times and slowdowns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from scripts.charts.dot_chart import ENOUGH
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import ClientRow
from scripts.model.pairs import contenders, pair_name
from scripts.model.services import Service

MEDIAN = "Point: median over the trials; bar: its 95 % interval (for n ≥ 6)"
BOUND = "Arrow: at least so much, because a flow had not ended with its trial"


@dataclass(frozen=True)
class CompletionRow:
    """A row of completions."""

    setting: str
    service: str
    contender: str
    instance: str
    subject: str
    size_class: str
    from_bytes: int
    to_bytes: int | None
    metric: str
    statistic: str
    n: int
    censored: int
    pooled: float | None
    pooled_at_least: bool
    median: float | None
    low: float | None
    high: float | None
    at_least: float | None

    @property
    def value(self) -> float:
        """The median of the trials' values, 0 without a valid trial."""
        return self.median or 0

    @property
    def end(self) -> float:
        """The larger of the median and the end of its interval."""
        return max(self.value, self.high or 0)

    @property
    def open(self) -> bool:
        """Whether the end is a lower bound."""
        return self.at_least is not None and self.end >= self.at_least

    @property
    def page(self) -> str:
        """The address of the page of the pair, or of the service alone, from that of a chart."""
        if not self.contender:
            return f"../solos/{self.setting}/{self.service}/"
        return f"../pairs/{self.setting}/{pair_name([self.service, *contenders(self.contender)])}/"

    @property
    def bound(self) -> bool:
        """Whether the median is a lower bound."""
        return self.at_least is not None and self.value >= self.at_least

    def words(self, factor: float = 1) -> str:
        """The median with its interval: `3.21 (3.10 to 3.40), n = 6`, or `≥ 9.00, n = 3, 2 flows not ended`.

        Args:
            factor: turns the unit of the metric into the one that is shown.
        """
        bound = "≥ " if self.bound else ""
        interval = ""
        if self.low is not None and self.high is not None:
            high = f"{'≥ ' if self.open else ''}{factor * self.high:.2f}"
            interval = f" ({factor * self.low:.2f} to {high})"
        ended = (
            f", {self.censored} {'flow' if self.censored == 1 else 'flows'} not ended"
            if self.censored
            else ""
        )
        return f"{bound}{factor * self.value:.2f}{interval}, n = {self.n}{ended}"


@dataclass(frozen=True)
class FlowRow(ClientRow):
    """A row of trial_completions. If the flow is censored, its times and its slowdown are lower bounds."""

    contender: str
    size_bytes: int
    data_ms: float | None
    slowdown: float | None
    censored: bool


def read_flows(tables: Path, setting: str) -> list[FlowRow]:
    """The flows of a setting that count, of valid trials.

    Raises:
        UserError: the table trial_completions is missing or wrong.
    """
    counted = pc.field("valid") & pc.field("counted") & (pc.field("setting") == setting)
    return read_rows(tables, "trial_completions", FlowRow, counted)


def known(rows: Iterable[CompletionRow], metric: str) -> list[CompletionRow]:
    """The rows of a metric of single flows that have a valid trial."""
    return [row for row in rows if (row.subject, row.metric) == ("flow", metric) and row.median is not None]


def highest_words(
    rows: Sequence[CompletionRow],
    what: str,
    value: Callable[[CompletionRow], str],
    where: Callable[[CompletionRow], str],
) -> str:
    """The highest median as a title: `Highest slowdown 9.3, A against B`. It is `seen` below six trials.

    Rows with enough trials go first. If other medians are lower bounds, nobody knows where the highest is.

    Args:
        rows: the medians, at least one.
        what: what they are, such as `Highest slowdown`.
        value: puts a median into words.
        where: says where it is.
    """
    enough = [row for row in rows if row.n >= ENOUGH]
    shown = enough or rows
    highest = max(shown, key=lambda row: row.value)
    bounds = [row for row in shown if row.bound]
    place = f", {where(highest)}" if bounds in ([], [highest]) else ""
    words = f"{what} {'at least ' if bounds else ''}{value(highest)}{place}"
    return words if enough else f"Seen: {words[0].lower()}{words[1:]}"


def has_one_flow(service: Service) -> bool:
    """Whether a trial has one flow of this service."""
    return service.generator is not None and service.generator.most_flows == 1


def has_listed_sizes(service: Service) -> bool:
    """Whether the sizes of the service's flows are listed one by one."""
    return service.generator is not None and service.generator.sizes_bytes.kind == "fixed"


def has_many_flows(service: Service) -> bool:
    """Whether a trial has many flows of this service, generated one after the other."""
    return service.generator is not None and service.generator.most_flows != 1
