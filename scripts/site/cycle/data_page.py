"""The data page: every table with its columns, every chart with its text, and the registration."""

from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.charts.render import FORMS
from scripts.figures.catalogue import CATALOGUE
from scripts.plan.registration import RegisteredContent, read_registration
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.site.times import minute
from scripts.tables.output import FEWEST_ROWS_WITHOUT_CSV
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
    rows = pq.read_metadata(path).num_rows
    forms = ["csv", "parquet"] if rows < FEWEST_ROWS_WITHOUT_CSV else ["parquet"]
    return {
        "name": path.stem,
        "description": schema.description,
        "rows": rows,
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
        "forms": forms,
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
    description = unescape(_attribute(opening, "aria-label"))
    title = description.partition(". ")[0]
    if "json" in forms:
        title = read_json(svg.with_suffix(".json"))["title"]["text"]
    return {
        "forms": forms,
        "width": _attribute(opening, "width"),
        "height": _attribute(opening, "height"),
        "title": title if isinstance(title, str) else " ".join(title),
        "description": description,
    }


def _attribute(tag: str, name: str) -> str:
    """An attribute of a tag as it is written; empty if the tag has none."""
    return tag.partition(f' {name}="')[2].partition('"')[0]


def registration_page(inputs: Inputs) -> list[Row]:
    """The lines of the registration; none if the cycle has none.

    Returns:
        For each line its number, `time`, `trials` so far, `sha256`, and `changed`: the dotted keys of the
        configuration and the files of code that differ from the line before.

    Raises:
        UserError: the registration is damaged.
    """
    lines = read_registration(inputs.config_path.parent)
    before: list[dict[str, object]] = [{}, *(dict(_parts(line.content)) for line in lines)]
    return [
        {
            "line": line.line,
            "time": minute(line.time),
            "trials": line.trials,
            "sha256": line.sha256,
            "changed": _differences(before[place], before[place + 1]) if place else [],
        }
        for place, line in enumerate(lines)
    ]


def _parts(content: RegisteredContent) -> Iterator[tuple[str, object]]:
    """Every part of a content by its name: values of the configuration by two keys, and files of code."""
    for key, value in content["campaign"].items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", held) for inner, held in value.items())
        elif key == "expectations":
            yield from ((f"{key}.{entry['name']}", entry) for entry in value)
        else:
            yield key, value
    yield "specification", content["specification"]
    yield from content["code"].items()


def _differences(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
