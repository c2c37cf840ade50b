"""The figures of a cycle as rows of summary.parquet.

They come from the tables pairs, solo, qoe_pairs, completions and changes. Earlier cycles lack completions.
"""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from scripts.base.records import from_json
from scripts.charts.table_files import read_table
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SLOWDOWN, SLOWEST
from scripts.model.pairs import contenders, pair_name
from scripts.site.cycle.cells import Cell
from scripts.site.data.summary import FIGURES

Row = dict[str, object]

MEDIAN = "_median"

SOLO = {
    "wire_rate_mbps": "wire_rate_{}_mbps",
    "throughput_mbps": "throughput_{}_mbps",
    "loss_rate": "loss_rate_{}",
    "queueing_delay_ms": "queueing_delay_{}_ms",
    "utilization": "utilization_{}",
}
"""The columns of each figure in the table solo, which has quartiles and interval of the wire rate only."""

COMPLETIONS = {
    ("slowdown", "mean"): (SLOWDOWN, 1.0),
    ("slowdown", "maximum"): (SLOWEST, 1.0),
    ("fct_ms", "median"): ("fct_s", 1e-3),
    ("data_ms", "median"): ("data_s", 1e-3),
}
"""Name and factor of the figures of completions, by metric and statistic over the flows of a trial.

A slowdown is how many times the shortest possible time a flow takes.
"""

STATISTICS = ("median", "q25", "q75", "low", "high")

KEY = ("setting", "pair", "service", "contender", "instance", "figure")

CellKey = tuple[object, ...]
"""Setting, service, contender and instance."""


def figures(tables: Path) -> pa.Table:
    """The figures of every pair and solo, sorted by their key.

    Args:
        tables: the folder of the cycle's tables.

    Raises:
        UserError: a table is missing.
    """
    rows = {name: read_table(tables, name).to_pylist() for name in ("pairs", "solo", "qoe_pairs", "changes")}
    found = [
        *(figure for row in rows["pairs"] for figure in _of_pair(row, str(tables / "pairs.parquet"))),
        *(figure for row in rows["solo"] for figure in _of_solo(row)),
        *map(_of_qoe, rows["qoe_pairs"]),
    ]
    if (tables / "completions.parquet").is_file():
        found += map(_of_completions, _read_completions(tables))
    _add_changes(found, rows["changes"])
    return pa.Table.from_pylist(sorted(found, key=_key), schema=FIGURES)


def _key(row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in KEY)


def _of_pair(row: Row, origin: str) -> Iterable[Row]:
    """Every figure of a row of pairs: every column that is a median over the valid trials."""
    names = [column.removesuffix(MEDIAN) for column in row if column.endswith(MEDIAN)]
    for name in names:
        if name.endswith("_all"):  # also over invalid trials
            continue
        yield {
            **{column: row[column] for column in ("setting", "pair", "contender", "instance")},
            "service": row["incumbent"],
            "figure": name,
            "unit": CATALOGUE[name].unit,
            "n": row[f"{name}_n"],
            **{statistic: row[f"{name}_{statistic}"] for statistic in STATISTICS},
            "verdict": from_json(Cell, row, origin).verdict if name == "share" else None,
        }


def _of_solo(row: Row) -> Iterable[Row]:
    """Every figure of a row of solo."""
    for name, column in SOLO.items():
        yield {
            "setting": row["setting"],
            "pair": row["service"],
            "service": row["service"],
            "contender": "",
            "instance": "first",
            "figure": name,
            "unit": CATALOGUE[name].unit,
            "n": row["n"],
            **{statistic: row.get(column.format(statistic)) for statistic in STATISTICS},
        }


def _of_qoe(row: Row) -> Row:
    """The figure of a row of qoe_pairs."""
    service, contender, metric = (str(row[name]) for name in ("service", "contender", "metric"))
    shared = ("setting", "service", "contender", "instance", "n", "median", "low", "high", "at_least")
    return {
        **{column: row[column] for column in shared},
        "pair": pair_name([service, *contenders(contender)]),
        "figure": metric,
        "unit": CATALOGUE[metric].unit,
        "q25": row["q1"],
        "q75": row["q3"],
    }


def _read_completions(tables: Path) -> list[Row]:
    """The rows of completions that are figures: those over the flows of every size."""
    table = read_table(tables, "completions")
    kept = (pc.field("subject") == "flow") & (pc.field("size_class") == "all")
    return [row for row in table.filter(kept).to_pylist() if (row["metric"], row["statistic"]) in COMPLETIONS]


def _of_completions(row: Row) -> Row:
    """The figure of a row of completions."""
    service, contender = str(row["service"]), str(row["contender"])
    figure, factor = COMPLETIONS[str(row["metric"]), str(row["statistic"])]
    return {
        **{column: row[column] for column in ("setting", "service", "contender", "instance", "n")},
        "pair": pair_name([service, *contenders(contender)]),
        "figure": figure,
        "unit": CATALOGUE[figure].unit,
        **{name: _times(row[name], factor) for name in ("median", "low", "high", "at_least")},
    }


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


def _cell(row: Row, service: str) -> CellKey:
    return tuple(row[column] for column in ("setting", service, "contender", "instance"))
