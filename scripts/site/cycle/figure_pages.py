"""The data of generated flows on the pages of settings, pairs, solos and trials."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow.compute as pc

from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import grouped
from scripts.model.pairs import contenders, pair_name
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs, PairKey
from scripts.tables.database import connect

SHOWN = {
    ("slowdown", "mean"): "mean",
    ("slowdown", "maximum"): "maximum",
    ("srpt_slowdown", "mean"): "ideal_mean",
    ("srpt_slowdown", "maximum"): "ideal_maximum",
    ("fct_ms", "median"): "fct_ms",
    ("data_ms", "median"): "data_ms",
    ("retransmissions", "mean"): "retransmissions",
}
"""The names of the figures that pages show, by metric and statistic over the flows of a trial."""

CHARTS_OF_SETTING = ("slowdown-by-size", "completion")


@dataclass(frozen=True)
class FlowsRow:
    """A row of completions."""

    setting: str
    service: str
    contender: str
    instance: str
    size_class: str
    metric: str
    statistic: str
    n: int
    flows: int
    censored: int
    median: float | None
    low: float | None
    high: float | None
    at_least: float | None

    @property
    def cell(self) -> PairKey:
        """The setting, and the pair or solo."""
        return self.setting, pair_name([self.service, *contenders(self.contender)])

    @property
    def figure(self) -> Row:
        """The median over the trials, with its interval."""
        return {name: getattr(self, name) for name in ("median", "low", "high", "at_least")}


def completions_by_cell(inputs: Inputs) -> dict[PairKey, list[Row]]:
    """The completion times in every pair and solo, an entry for each service and instance.

    An entry has `all`, the figures over flows of every size, and `classes`, those of each size class, the
    smallest sizes first.
    """
    return {cell: _entries(rows) for cell, rows in grouped(_shown(inputs), lambda row: row.cell).items()}


def slowest_by_cell(inputs: Inputs) -> dict[PairKey, Row]:
    """The largest slowdown in every pair and solo, of all services and instances, with its interval."""
    largest = ("all", "slowdown", "maximum")
    rows = [row for row in _shown(inputs) if (row.size_class, row.metric, row.statistic) == largest]
    return {
        cell: max(of_cell, key=lambda row: row.median or 0).figure
        for cell, of_cell in grouped(rows, lambda row: row.cell).items()
    }


def _shown(inputs: Inputs) -> list[FlowsRow]:
    """The rows of single flows whose figures are shown, in the order of the table."""
    rows = read_rows(inputs.tables_dir, "completions", FlowsRow, pc.field("subject") == "flow")
    return [row for row in rows if (row.metric, row.statistic) in SHOWN]


def _entries(rows: Iterable[FlowsRow]) -> list[Row]:
    """The services of a cell by name; of a self-pair, the flows of each client, then of both together."""
    entries: list[Row] = []
    for key, of_side in grouped(rows, lambda row: (row.service, row.contender, row.instance)).items():
        every, *others = map(_size_class, grouped(of_side, lambda row: row.size_class).values())
        named = zip(("service", "contender", "instance"), key, strict=True)
        entries.append(dict(named) | {"all": every, "classes": others})
    return entries


def _size_class(rows: list[FlowsRow]) -> Row:
    """The figures of a size class. Every slowdown is of as many trials and flows as any other."""
    slowdown = next(row for row in rows if row.metric == "slowdown")
    figures = {SHOWN[row.metric, row.statistic]: row.figure for row in rows}
    counts = {"n": slowdown.n, "flows": slowdown.flows, "censored": slowdown.censored}
    return {"size_class": slowdown.size_class, **counts, "figures": figures}


def completion_charts(inputs: Inputs) -> dict[str, list[str]]:
    """The charts of every setting with generated flows."""
    settings = dict.fromkeys(row.setting for row in _shown(inputs))
    return {name: inputs.existing(f"{kind}-{name}" for kind in CHARTS_OF_SETTING) for name in settings}


QUERY = """
    select
        setting,
        pair,
        trial,
        client,
        count(*)::integer as planned,
        count(started_ns)::integer as started,
        count(*) filter (trial_completions.counted)::integer as counted,
        count(*) filter (trial_completions.counted and censored)::integer as censored,
        quantile_cont(late_ms, 0.99) as late_p99_ms,
        list_avg(list(trial_completions.slowdown order by flow) filter (trial_completions.counted)) as mean,
        max(trial_completions.slowdown) filter (trial_completions.counted) as maximum,
        list_avg(list(ideal.slowdown order by flow) filter (trial_completions.counted)) as ideal_mean,
        max(ideal.slowdown) filter (trial_completions.counted) as ideal_maximum
    from read_parquet($trial_completions) as trial_completions
    left join read_parquet($srpt) as ideal using (setting, pair, trial, client, flow)
    group by setting, pair, trial, client
    order by setting, pair, trial, client
"""
"""A row a client: the number of its flows, how late they started (ms), and the mean and the maximum slowdown.

The slowdowns are those of the flows that started in the steady window (`counted`).
"""

Completions = Mapping[tuple[TrialKey, str], Row]
"""The figures of the flows of each client, by trial and client."""


def completions_of_trials(inputs: Inputs) -> Completions:
    """The figures of QUERY.

    A slowdown is a lower bound if one of its flows is censored.
    """
    paths = {name: str(inputs.tables_dir / f"{name}.parquet") for name in ("trial_completions", "srpt")}
    with connect() as connection:
        result = connection.sql(QUERY, params=paths)
        rows = result.to_arrow_table().to_pylist()
    return {(TrialKey(row["setting"], row["pair"], row["trial"]), row["client"]): row for row in rows}
