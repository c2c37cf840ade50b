"""Reading Vega-Lite specifications in tests, and making records of made-up rows."""

from collections.abc import Iterable
from typing import TypeVar

from scripts.base.records import from_json
from scripts.charts.table_rows import TrialRow
from scripts.model.trials import TrialKey

Record = TypeVar("Record")
OfTrial = TypeVar("OfTrial", bound=TrialRow)


def records(kind: type[Record], rows: list[dict]) -> list[Record]:
    """Rows of a table as the charts read them."""
    return [from_json(kind, row, "sample") for row in rows]


def series_of(rows: Iterable[OfTrial]) -> dict[TrialKey, list[OfTrial]]:
    """The rows of each trial."""
    trials: dict[TrialKey, list[OfTrial]] = {}
    for row in rows:
        trials.setdefault(row.key, []).append(row)
    return trials


def rows_of(spec: dict, part: dict, panel: dict | None = None) -> list[dict]:
    """The rows that a layer or panel shows: its own, its panel's, or those of the whole chart."""
    data = part.get("data") or (panel or {}).get("data") or spec["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]
