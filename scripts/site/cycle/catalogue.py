"""The downloads on the data page: every table with its columns, every chart with its text."""

from html import unescape
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.site.cycle.inputs import Inputs
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


def chart_texts(inputs: Inputs) -> dict[str, dict[str, str]]:
    """Title and description of every chart, by name."""
    texts = {}
    for name, path in inputs.charts.items():
        if not path.with_suffix(".json").is_file():
            label = unescape(path.read_text().split('aria-label="')[1].split('"')[0])
            texts[name] = {"title": label, "description": label}
            continue
        spec = read_json(path.with_suffix(".json"))
        texts[name] = {"title": spec["title"]["text"], "description": spec["description"]}
    return texts
