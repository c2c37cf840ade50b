"""The downloads on the data page: every table with its columns, every chart with its text."""

from html import unescape
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.site.cycle.inputs import Inputs, Row
from scripts.tables.table_schema import load_schema


def table_list(inputs: Inputs) -> list[dict[str, object]]:
    """Every table of the cycle: number of rows, columns with type, unit and meaning, files."""
    return [_table(path) for path in sorted(inputs.tables_dir.glob("*.parquet"))]


def _table(path: Path) -> dict[str, object]:
    schema = load_schema(path.stem)
    files = [file for file in (path.with_suffix(".csv"), path) if file.is_file()]
    return {
        "name": path.stem,
        "description": schema.description,
        "rows": pq.read_metadata(path).num_rows,
        "grain": schema.grain,
        "columns": [
            {"name": column.name, "type": column.type, "unit": column.unit, "meaning": column.meaning}
            for column in schema.columns
        ],
        "files": [{"form": file.suffix.removeprefix(".")} for file in files],
    }


def chart_texts(inputs: Inputs) -> dict[str, Row]:
    """Title and description of every chart, by name, and whether it is published as Vega-Lite JSON too."""
    return {name: _chart_text(path) for name, path in inputs.charts.items()}


def _chart_text(svg: Path) -> Row:
    """The texts of a chart. A chart of a trial has no JSON: its description begins with its title."""
    json = svg.with_suffix(".json")
    if json.is_file():
        spec = read_json(json)
        return {"title": spec["title"]["text"], "description": spec["description"], "json": True}
    opening = svg.read_text(encoding="utf-8").partition(">")[0]
    description = unescape(opening.partition(' aria-label="')[2].partition('"')[0])
    return {"title": description.partition(". ")[0], "description": description, "json": False}
