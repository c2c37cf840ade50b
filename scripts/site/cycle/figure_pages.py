"""The data of generated flows, models and predictions on the pages of settings, pairs, solos and trials."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow.compute as pc

from scripts.charts.model_charts import MetricRow, ModelRow
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import grouped, page_of
from scripts.model.pairs import contenders, is_solo, pair_name
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
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

PairKey = tuple[str, str]
"""A setting, and a pair or solo."""


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
    one = next(row for row in rows if row.metric == "slowdown")
    figures = {SHOWN[row.metric, row.statistic]: row.figure for row in rows}
    counts = {"n": one.n, "flows": one.flows, "censored": one.censored}
    return {"size_class": one.size_class, **counts, "figures": figures}


def completion_settings(inputs: Inputs) -> dict[str, Row]:
    """The settings with generated flows: the entry of each pair and solo with its page, and the charts."""
    settings: dict[str, Row] = {}
    cells = completions_by_cell(inputs)
    for name in inputs.campaign.settings:
        mine = sorted((cell for cell in cells if cell[0] == name), key=lambda cell: not is_solo(cell[1]))
        rows = [entry | {"page": page_of(*cell)} for cell in mine for entry in cells[cell]]
        charts = [chart for kind in CHARTS_OF_SETTING if (chart := inputs.chart(f"{kind}-{name}"))]
        if rows:
            settings[name] = {"rows": rows, "charts": charts}
    return settings


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

SOURCES = ("trial_completions", "srpt")

Completions = Mapping[tuple[TrialKey, str], Row]
"""The figures of the flows of each client, by trial and client."""


def completions_of_trials(inputs: Inputs) -> Completions:
    """The figures of QUERY.

    A slowdown is a lower bound if one of its flows is censored.
    """
    paths = {name: inputs.tables_dir / f"{name}.parquet" for name in SOURCES}
    with connect() as connection:
        found = connection.sql(QUERY, params={name: str(path) for name, path in paths.items()})
        rows = found.to_arrow_table().to_pylist()
    return {(TrialKey(row["setting"], row["pair"], row["trial"]), row["client"]): row for row in rows}


PARTS = {
    "link_fraction": "fractions",
    "link_fraction_error": "fractions",
    "mathis_ratio": "ratios",
    "padhye_ratio": "ratios",
    "measured_fraction": "predictions",
    "predicted_fraction": "predictions",
    "prediction_error": "predictions",
}
"""The table of a page that a metric is in."""

TABLES: dict[str, type[MetricRow]] = {"models": ModelRow, "predictions": MetricRow}
"""The tables by name, each with its rows. The charts of a setting have the same names."""


def models_by_cell(inputs: Inputs) -> dict[PairKey, Row]:
    """The tables of every pair and solo; `_tables` describes them."""
    cells = grouped(_rows(inputs), lambda row: (row.setting, row.pair))
    return {cell: _tables(rows) for cell, rows in cells.items()}


def model_settings(inputs: Inputs) -> dict[str, Row]:
    """The tables of every setting that has any, and the names of its charts."""
    return {
        name: _tables(rows) | {f"{kind}_chart": inputs.chart(f"{kind}-{name}") for kind in TABLES}
        for name, rows in grouped(_rows(inputs), lambda row: row.setting).items()
    }


def _rows(inputs: Inputs) -> list[MetricRow]:
    """The rows of both tables in their order."""
    return [row for table, kind in TABLES.items() for row in read_rows(inputs.tables_dir, table, kind)]


def _tables(rows: Iterable[MetricRow]) -> Row:
    """The tables by name (PARTS). A row is of a service in a pair or alone; `figures` are by metric."""
    entries: dict[tuple[str, str, str], Row] = {}
    figures: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = (PARTS[row.metric], row.pair, row.service)
        entries.setdefault(key, _model_entry(row))
        figures.setdefault(key, {})[row.metric] = _model_figure(row)
    return {
        part: [entry | {"figures": figures[key]} for key, entry in entries.items() if key[0] == part]
        for part in dict.fromkeys(PARTS.values())
    }


def _model_entry(row: MetricRow) -> Row:
    """Whose figure it is, with the page of the pair or solo."""
    page = page_of(row.setting, row.pair)
    return {"pair": row.pair, "service": row.service, "contender": row.contender, "page": page}


def _model_figure(row: MetricRow) -> Row:
    """The median over the trials, with its interval and n, what the model says, and what it follows from."""
    figure: Row = {"median": row.median, "low": row.low, "high": row.high, "n": row.n}
    if not isinstance(row, ModelRow):
        return figure
    p = {"median": row.event_rate, "low": row.event_rate_low, "high": row.event_rate_high}
    return figure | {"model_median": row.model_median, "reason": row.reason, "events": row.events, "p": p}
