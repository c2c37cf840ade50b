"""Reading Vega-Lite specifications in tests, and making records of made-up rows."""

from typing import TypeVar

from scripts.base.records import from_json

Record = TypeVar("Record")


def records(kind: type[Record], rows: list[dict]) -> list[Record]:
    """Rows of a table as the charts read them."""
    return [from_json(kind, row, "sample") for row in rows]


def rows_of(spec: dict, part: dict, panel: dict | None = None) -> list[dict]:
    """The rows that a layer or panel shows: its own, its panel's, or those of the whole chart."""
    data = part.get("data") or (panel or {}).get("data") or spec["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]
