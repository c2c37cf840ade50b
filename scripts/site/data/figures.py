"""The figures of a cycle as rows of summary.parquet.

They come from the tables figures and changes. Of shares, the verdict and whether they have settled come from
pairs, and whether the trials fall into two groups from stability.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from scripts.charts.table_files import read_rows, read_table
from scripts.charts.table_rows import PairRow
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SHARE, SLOWDOWN, SLOWEST, THROUGHPUT, WIRE_RATE
from scripts.metrics.leads import FEWEST
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

FigureKey = tuple[object, ...]
"""Setting, service, contender and instance."""


def figures(tables: Path) -> pa.Table:
    """The figures of every pair and solo, sorted by their key.

    Args:
        tables: the folder of the cycle's tables. In that of an earlier version `leads` is missing.

    Raises:
        UserError: a table is missing.
    """
    stability = read_table(tables, "stability").to_pylist()
    two_outcomes = {_cell(row, "incumbent"): row["bimodal"] for row in stability}
    verdicts: dict[FigureKey, Row] = {
        (cell := _cell(vars(row), "incumbent")): {
            "verdict": row.shown_verdict,
            "settled": row.shown_settled,
            "two_outcomes": two_outcomes.get(cell) if row.shown_settled else None,
        }
        for row in read_rows(tables, "pairs", PairRow)
    }
    changes = {_cell(row, "incumbent"): row for row in read_table(tables, "changes").to_pylist()}
    leads = _leads(read_table(tables, "leads").to_pylist() if (tables / "leads.parquet").is_file() else ())
    rows = read_table(tables, "figures").to_pylist()
    figures = [figure for row in rows if (figure := _figure(row)) is not None]
    for figure in figures:
        cell, name = _cell(figure, "service"), str(figure["figure"])
        if name == SHARE:
            figure |= verdicts.get(cell, {})
        if name == THROUGHPUT and (change := changes.get(cell)) is not None:
            figure |= {of: change[of] for of in ("before_n", "p_corrected", "changed", "control")}
            figure["before_median"] = change["before_median_mbps"]
        if figure["instance"] == ("both" if figure["service"] == figure["contender"] else "first"):
            figure |= leads.get((*cell[:3], name), {})
    figures.sort(key=lambda row: [str(row[name]) for name in KEY])
    return pa.Table.from_pylist(figures, schema=FIGURES)


EXTREMES = {
    "most_unfair": (SHARE, "may_be_lowest"),
    "alone_least": (WIRE_RATE, "may_be_lowest"),
    "alone_most": (WIRE_RATE, "may_be_highest"),
    "slowdown_lowest": (SLOWEST, "may_be_lowest"),
    "slowdown_highest": (SLOWEST, "may_be_highest"),
}
"""The figure of each extreme that a sentence names, and the column that tells whether a figure may be it."""

SHRUNK = ("shrunk", "shrunk_low", "shrunk_high")


def _figure(row: Row) -> Row | None:
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
    )


def _times(value: object, factor: float) -> float | None:
    return value * factor if isinstance(value, float) else None


def _leads(rows: Iterable[Row]) -> dict[FigureKey, Row]:
    """Whether a figure may be an extreme of its setting, and what is left of it, by cell and name.

    Both sides of a pair have a figure. Fewer than FEWEST pairs do not tell how far chance moved one of them.
    """
    judged = [row for row in rows if row["finding"] in EXTREMES and row["rank_low"] is not None]
    pairs: dict[tuple[object, object], set[frozenset[object]]] = defaultdict(set)
    for row in judged:
        pairs[row["setting"], row["finding"]].add(frozenset((row["incumbent"], row["contender"])))
    leads: dict[FigureKey, Row] = {}
    for row in judged:
        name, flag = EXTREMES[str(row["finding"])]
        key: FigureKey = (row["setting"], row["incumbent"], row["contender"] or "", name)
        enough = len(pairs[row["setting"], row["finding"]]) >= FEWEST
        shrunk = {column: row[column] if enough else None for column in SHRUNK}
        leads[key] = leads.get(key, shrunk) | {flag: row["may_be_first"]}
    return leads


def _cell(row: Row, service: str) -> FigureKey:
    return tuple(row[column] for column in ("setting", service, "contender", "instance"))
