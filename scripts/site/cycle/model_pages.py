"""The data of models and predictions, beside what was measured, on the pages of settings, pairs and solos."""

from collections.abc import Iterable

from scripts.charts.model_charts import MetricRow, ModelRow
from scripts.charts.table_files import read_rows
from scripts.model.pairs import is_solo
from scripts.site.cycle.inputs import Inputs, Row

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

CellKey = tuple[str, str]
"""A setting, and a pair or solo."""


def models_by_cell(inputs: Inputs) -> dict[CellKey, Row]:
    """The tables of every pair and solo; `_tables` describes them."""
    cells: dict[CellKey, list[MetricRow]] = {}
    for row in _rows(inputs):
        cells.setdefault((row.setting, row.pair), []).append(row)
    return {cell: _tables(rows) for cell, rows in cells.items()}


def model_settings(inputs: Inputs) -> dict[str, Row]:
    """The tables of every setting that has any, and the names of its charts."""
    settings: dict[str, list[MetricRow]] = {}
    for row in _rows(inputs):
        settings.setdefault(row.setting, []).append(row)
    return {
        name: _tables(rows) | {f"{kind}_chart": inputs.chart(f"{kind}-{name}") for kind in TABLES}
        for name, rows in settings.items()
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
        entries.setdefault(key, _entry(row))
        figures.setdefault(key, {})[row.metric] = _figure(row)
    return {
        part: [entry | {"figures": figures[key]} for key, entry in entries.items() if key[0] == part]
        for part in dict.fromkeys(PARTS.values())
    }


def _entry(row: MetricRow) -> Row:
    """Whose figure it is, with the page of the pair or solo."""
    page = f"{'solos' if is_solo(row.pair) else 'pairs'}/{row.setting}/{row.pair}/"
    return {"pair": row.pair, "service": row.service, "contender": row.contender, "page": page}


def _figure(row: MetricRow) -> Row:
    """The median over the trials, with its interval, n and what the model says."""
    model = row.model_median if isinstance(row, ModelRow) else None
    return {"median": row.median, "low": row.low, "high": row.high, "n": row.n, "model_median": model}
