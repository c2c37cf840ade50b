"""The slowdown of flows of fixed sizes: a median for each size, where completions has wider classes."""

import math
import statistics
from collections.abc import Iterable

from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.metrics.statistics import median_ci


def exact_sizes(flows: Iterable[FlowRow]) -> list[CompletionRow]:
    """The median slowdown of every service and size over the trials, sorted, as rows of completions.

    A trial gives one value, the median of its flows of this size.

    Args:
        flows: counted flows of one setting, of services alone.
    """
    found: dict[tuple[str, int], dict[int, list[FlowRow]]] = {}
    for flow in flows:
        if flow.slowdown is not None:
            found.setdefault((flow.service, flow.size_bytes), {}).setdefault(flow.trial, []).append(flow)
    return [_row([*trials.values()]) for _, trials in sorted(found.items())]


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
