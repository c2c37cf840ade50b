"""The downloads on the data page: every table with its columns, every chart with its text."""

from html import unescape
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.charts.render import FORMS
from scripts.figures.catalogue import CATALOGUE
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.tables.table_schema import STATISTICS, load_schema

PUBLISHED_FORMS = tuple(form for form in FORMS if form != "png")
"""The files of a chart beside its page. Browsers make the PNG from the SVG."""

ENDS = tuple(f"_{statistic}" for statistic in (*STATISTICS, "n"))
"""How the name of a column ends that has a statistic of a metric."""


def table_list(inputs: Inputs) -> list[dict[str, object]]:
    """Every table of the cycle: number of rows, columns with what they mean, metrics, files."""
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
            {
                "name": column.name,
                "type": column.type,
                "unit": column.unit,
                "meaning": column.meaning,
                "statistic": column.name.endswith(ENDS),
            }
            for column in schema.columns
        ],
        "metrics": _metrics(path) if "metric" in schema.key else [],
        "files": [{"form": file.suffix.removeprefix(".")} for file in files],
    }


def _metrics(path: Path) -> list[dict[str, object]]:
    """The metrics of a table whose rows name their metric, in the order of the catalogue."""
    column = pq.read_table(path, columns=["metric"])["metric"]
    named = CATALOGUE.keys() & set(column.unique().to_pylist())
    return [
        {"name": name, "title": metric.name, "unit": metric.unit, "meaning": metric.meaning}
        for name, metric in CATALOGUE.items()
        if name in named
    ]


def chart_texts(inputs: Inputs) -> dict[str, Row]:
    """Every chart by name: title, description, width and height in px, and the forms that are published."""
    return {name: _chart_text(path) for name, path in inputs.charts.items()}


def _chart_text(svg: Path) -> Row:
    """A chart of a trial has no JSON: its description begins with its title."""
    opening = svg.read_text(encoding="utf-8").partition(">")[0]
    forms = [form for form in PUBLISHED_FORMS if svg.with_suffix(f".{form}").is_file()]
    known: Row = {
        "forms": forms,
        "width": _attribute(opening, "width"),
        "height": _attribute(opening, "height"),
    }
    if "json" in forms:
        spec = read_json(svg.with_suffix(".json"))
        title = spec["title"]["text"]
        title = title if isinstance(title, str) else " ".join(title)
        return known | {"title": title, "description": spec["description"]}
    description = unescape(_attribute(opening, "aria-label"))
    return known | {"title": description.partition(". ")[0], "description": description}


def _attribute(tag: str, name: str) -> str:
    """An attribute of a tag as it is written; empty if the tag has none."""
    return tag.partition(f' {name}="')[2].partition('"')[0]
