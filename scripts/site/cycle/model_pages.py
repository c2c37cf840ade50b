"""The data of models and predictions, beside what was measured, on the pages of settings, pairs and solos.

Cycles from before there were the tables models and predictions lack them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.charts.table_files import read_table
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

CHARTS = ("models", "predictions")
"""The charts of a setting, each with the name of its table."""

CellKey = tuple[str, str]
"""A setting, and a pair or solo."""


@dataclass(frozen=True)
class MetricRow:
    """A row of models, or of predictions, which have no `model_median`."""

    setting: str
    pair: str
    service: str
    contender: str
    metric: str
    n: int
    median: float | None
    low: float | None
    high: float | None
    model_median: float | None = None

    @property
    def entry(self) -> Row:
        """Whose figure it is, with the page of the pair or solo."""
        folder = "solos" if is_solo(self.pair) else "pairs"
        page = f"{folder}/{self.setting}/{self.pair}/"
        return {"pair": self.pair, "service": self.service, "contender": self.contender, "page": page}

    @property
    def figure(self) -> Row:
        """The median over the trials, with its interval, n and what the model says."""
        return {name: getattr(self, name) for name in ("median", "low", "high", "n", "model_median")}


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
        name: _tables(rows) | {f"{kind}_chart": inputs.chart(f"{kind}-{name}") for kind in CHARTS}
        for name, rows in settings.items()
    }


def _rows(inputs: Inputs) -> list[MetricRow]:
    """The rows of both tables in their order."""
    return [
        inputs.record(row, table, MetricRow)
        for table in CHARTS
        if (inputs.tables_dir / f"{table}.parquet").is_file()
        for row in read_table(inputs.tables_dir, table).to_pylist()
    ]


def _tables(rows: Iterable[MetricRow]) -> Row:
    """The tables by name (PARTS). A row is of a service in a pair or alone; `figures` are by metric."""
    entries: dict[tuple[str, str, str], Row] = {}
    figures: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = (PARTS[row.metric], row.pair, row.service)
        entries.setdefault(key, row.entry)
        figures.setdefault(key, {})[row.metric] = row.figure
    return {
        part: [entry | {"figures": figures[key]} for key, entry in entries.items() if key[0] == part]
        for part in dict.fromkeys(PARTS.values())
    }
