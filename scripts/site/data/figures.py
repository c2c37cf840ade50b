"""The figures of a cycle as rows of summary.parquet.

They come from the tables figures and changes; the verdicts, and whether shares have settled, from pairs.
"""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from scripts.base.records import from_json
from scripts.charts.table_files import read_table
from scripts.charts.table_rows import PairRow
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SHARE, SLOWDOWN, SLOWEST, WIRE_RATE
from scripts.site import Row
from scripts.site.data.summary import FIGURES

COMPLETIONS = {
    ("slowdown", "mean"): (SLOWDOWN, 1.0),
    ("slowdown", "maximum"): (SLOWEST, 1.0),
    ("fct_ms", "median"): ("fct_s", 1e-3),
    ("data_ms", "median"): ("data_s", 1e-3),
}
"""Name and factor of the figures of completions, by metric and statistic over the flows of a trial.

A slowdown is how many times the shortest possible time a flow takes.
"""

SUMMARISED = ("pairs", "solo", "qoe_pairs", "completions")
"""The metrics of these tables are in a summary."""

STATISTICS = ("median", "q25", "q75", "low", "high")

KEY = ("setting", "pair", "service", "contender", "instance", "figure")

CellKey = tuple[object, ...]
"""Setting, service, contender and instance."""


def figures(tables: Path) -> pa.Table:
    """The figures of every pair and solo, sorted by their key.

    Args:
        tables: the folder of the cycle's tables. In that of an earlier version `leads` is missing.

    Raises:
        UserError: a table is missing.
    """
    rows = {name: read_table(tables, name).to_pylist() for name in ("figures", "pairs", "changes")}
    origin = str(tables / "pairs.parquet")
    pairs = ((row, from_json(PairRow, row, origin)) for row in rows["pairs"])
    verdicts: dict[CellKey, Row] = {
        _cell(row, "incumbent"): {"verdict": pair.shown_verdict, "settled": pair.shown_settled}
        for row, pair in pairs
    }
    found = [figure for row in rows["figures"] if (figure := _figure(row, verdicts)) is not None]
    _add_changes(found, rows["changes"])
    if (tables / "leads.parquet").is_file():
        _add_leads(found, read_table(tables, "leads").to_pylist())
    return pa.Table.from_pylist(sorted(found, key=_key), schema=FIGURES)


EXTREMES = {
    "most_unfair": (SHARE, "may_be_lowest"),
    "alone_least": (WIRE_RATE, "may_be_lowest"),
    "alone_most": (WIRE_RATE, "may_be_highest"),
    "slowdown_lowest": (SLOWEST, "may_be_lowest"),
    "slowdown_highest": (SLOWEST, "may_be_highest"),
}
"""The figure of each extreme that a sentence names, and the column that tells whether a figure may be it."""


def _key(row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in KEY)


def _figure(row: Row, verdicts: Mapping[CellKey, Row]) -> Row | None:
    """The figure of a row of the table figures; None of one that no summary has."""
    metric, statistic = str(row["metric"]), str(row["statistic"])
    of_every_flow = (row["subject"], row["size_class"]) == ("flow", "all")
    name, factor = COMPLETIONS.get((metric, statistic), (metric, 1.0))
    table = CATALOGUE[metric].table
    if not of_every_flow or table not in SUMMARISED or (table == "completions" and name == metric):
        return None
    shared = ("setting", "pair", "service", "contender", "instance", "n")
    statistics = {column: _times(row[column], factor) for column in (*STATISTICS, "at_least")}
    return (
        {column: row[column] for column in shared}
        | statistics
        | {"figure": name, "unit": CATALOGUE[name].unit}
        | (verdicts.get(_cell(row, "service"), {}) if metric == SHARE else {})
    )


def _times(value: object, factor: float) -> float | None:
    return value * factor if isinstance(value, float) else None


def _add_changes(found: list[Row], changes: list[Row]) -> None:
    """Add to the throughput of every compared cell what changed since the earlier cycle."""
    by_cell = {_cell(row, "incumbent"): row for row in changes}
    for figure in found:
        change = by_cell.get(_cell(figure, "service"))
        if change is not None and figure["figure"] == "throughput_mbps":
            figure |= {name: change[name] for name in ("before_n", "p_corrected", "changed", "control")}
            figure["before_median"] = change["before_median_mbps"]


def _add_leads(found: list[Row], leads: list[Row]) -> None:
    """Add to every figure whether it may be an extreme of its setting, and what is left of it."""
    by_figure: dict[CellKey, Row] = {}
    for lead in leads:
        name, flag = EXTREMES.get(str(lead["finding"]), ("", ""))
        if flag and lead["rank_low"] is not None:
            key: CellKey = (lead["setting"], lead["incumbent"], lead["contender"] or "", name)
            shrunk = {column: lead[column] for column in ("shrunk", "shrunk_low", "shrunk_high")}
            by_figure[key] = by_figure.get(key, shrunk) | {flag: lead["may_be_first"]}
    for figure in found:
        own = tuple(figure[column] for column in ("setting", "service", "contender", "figure"))
        if figure["instance"] == ("both" if figure["service"] == figure["contender"] else "first"):
            figure |= by_figure.get(own, {})


def _cell(row: Row, service: str) -> CellKey:
    return tuple(row[column] for column in ("setting", service, "contender", "instance"))
