"""Rows and words that the charts of generated flows share: completion times and slowdowns."""

import math
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from scripts.charts.chart_labels import seen_unless
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import BoundRow, ClientRow, grouped
from scripts.metrics.statistics import median_ci
from scripts.model.services import Service

MEDIAN = "Point: median over the trials; bar: its 95 % interval (for n ≥ 6)"
BOUND = "Arrow: at least so much, because a flow had not ended with its trial"


@dataclass(frozen=True)
class CompletionRow(BoundRow):
    """A row of completions."""

    subject: str
    size_class: str
    from_bytes: int
    to_bytes: int | None
    statistic: str
    pooled: float | None
    pooled_at_least: bool

    @property
    def end(self) -> float:
        """The larger of the median and the end of its interval."""
        return max(self.value, self.high or 0)

    @property
    def open(self) -> bool:
        """Whether the end is a lower bound."""
        return self.at_least is not None and self.end >= self.at_least

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
        flows = "flow" if self.censored == 1 else "flows"
        ended = f", {self.censored} {flows} not ended" if self.censored else ""
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


def highest_words(places: Mapping[CompletionRow, str], what: str, value: Callable[[float], str]) -> str:
    """The highest median as a title: `Highest slowdown 9.3, A against B`. It is `seen` below six trials.

    Rows with enough trials go first. If other medians are lower bounds, nobody knows where the highest is.

    Args:
        places: the medians, at least one, and where each is.
        what: what they are, such as `Highest slowdown`.
        value: puts a median into words.
    """
    enough = [row for row in places if row.enough]
    shown = enough or [*places]
    highest = max(shown, key=lambda row: row.value)
    bounds = [row for row in shown if row.bound]
    place = f", {places[highest]}" if bounds in ([], [highest]) else ""
    return seen_unless(enough, f"{what} {'at least ' if bounds else ''}{value(highest.value)}{place}")


def has_one_flow(service: Service) -> bool:
    """Whether a trial has one flow of this service."""
    return service.generator is not None and service.generator.most_flows == 1


def exact_sizes(flows: Iterable[FlowRow]) -> list[CompletionRow]:
    """The median slowdown of every service and size over the trials, sorted, as rows of completions.

    A trial gives one value, the median of its flows of this size.

    Args:
        flows: counted flows of one setting, of services alone.
    """
    slowed = (flow for flow in flows if flow.slowdown is not None)
    by_size = grouped(slowed, lambda flow: (flow.service, flow.size_bytes))
    trials = (grouped(by_size[size], lambda flow: flow.trial) for size in sorted(by_size))
    return [_row([*of_size.values()]) for of_size in trials]


def _row(trials: list[list[FlowRow]]) -> CompletionRow:
    """The figure of one size; each trial has at least one flow of it."""
    values = [_value(trial) for trial in trials]
    bounds = [_value(trial) for trial in trials if any(flow.censored for flow in trial)]
    low, median, high = median_ci(values)
    first = trials[0][0]
    return CompletionRow(
        setting=first.setting,
        service=first.service,
        contender="",
        instance="first",
        subject="flow",
        size_class=_size_words(first.size_bytes),
        from_bytes=first.size_bytes,
        to_bytes=first.size_bytes,
        metric="slowdown",
        statistic="median",
        n=len(values),
        censored=sum(flow.censored for trial in trials for flow in trial),
        pooled=None,
        pooled_at_least=False,
        median=median,
        low=None if math.isnan(low) else low,
        high=None if math.isnan(high) else high,
        at_least=_at_least([median, high], values, bounds),
    )


def _value(trial: list[FlowRow]) -> float:
    """The median of a trial's flows of one size."""
    return statistics.median(flow.slowdown or 0 for flow in trial)


def _at_least(figures: list[float], values: list[float], bounds: list[float]) -> float | None:
    """Where the lower bounds begin, as scripts/tables/figures.sql has it; None without any."""
    if not bounds:
        return None
    known = max((value for value in values if value < min(bounds)), default=-math.inf)
    return min(figure for figure in [*figures, min(bounds)] if figure > known)


def _size_words(size_bytes: int) -> str:
    """`1.45 kB` or `23.7 MB`."""
    unit, bytes_of = ("MB", 1e6) if size_bytes >= 1e6 else ("kB", 1e3)
    return f"{size_bytes / bytes_of:.3g} {unit}"
