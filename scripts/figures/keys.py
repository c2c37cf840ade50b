"""The figures that expectations name: their tables and their words."""

from collections import Counter

from scripts.figures.catalogue import CATALOGUE
from scripts.model.expectations import FigureKey
from scripts.model.pairs import SEPARATOR, contenders
from scripts.model.size_classes import ALL

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


def table_of(key: FigureKey) -> str:
    """The table that has a figure."""
    table = CATALOGUE[key.metric].table
    assert table is not None, key
    return table


def key_words(key: FigureKey) -> str:
    """Such as `median slowdown, 1 to 3 kB, flows-doubling-bbr alone, 100mbps-50ms`."""
    return f"{measure_words(key)}, {_matchup(key)}, {key.setting}"


def measure_words(key: FigureKey) -> str:
    """What a figure measures, without its place: such as `median slowdown, 1 to 3 kB`."""
    groups = " of groups" if key.subject == "group" else ""
    sizes = "" if key.size_class == ALL else f", {key.size_class}"
    statistic = f"{STATISTICS[key.statistic]} " if key.statistic else ""
    return f"{statistic}{CATALOGUE[key.metric].words}{groups}{sizes}"


def _matchup(key: FigureKey) -> str:
    if not key.contender:
        return f"{key.service} alone"
    told_apart = key.of_self_pair and table_of(key) in SELF_PAIR_INSTANCES
    client = f", {INSTANCES[key.instance]}" if told_apart else ""
    return f"{key.service} against {_opponents(key)}{client}"


def _opponents(key: FigureKey) -> str:
    """The contenders as a campaign may write them, such as `iperf-cubic_16`."""
    counts = sorted(Counter(contenders(key.contender)).items())
    return SEPARATOR.join(service if count == 1 else f"{service}_{count}" for service, count in counts)
