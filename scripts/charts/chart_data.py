"""The data inside a chart's specification as CSV: what the chart shows, in the units of its axes.

Every row names its source, also when it is copied into another table.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from scripts.charts.origin import ChartOrigin

LEGEND = "legend"
"""Views with this name show no data."""

_OF_THE_PICTURE = ("href", "text", "y", "top", "bottom")
"""Columns that say how a row is drawn."""

Spec = Mapping[str, Any]


def to_csv(spec: Spec, origin: ChartOrigin) -> str:
    """A row for each datum, and `mark`: the marks that show it. A header line, and no comments."""
    rows: list[dict[str, object]] = [
        {**origin.fields, "mark": "+".join(marks), **dict(row)} for row, marks in _shown(spec).items()
    ]
    shown = dict.fromkeys(column for row in rows for column in row if column not in origin.fields)
    columns = [*shown, *origin.fields]
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def _shown(spec: Spec) -> dict[tuple[tuple[str, object], ...], list[str]]:
    """The data in their order, each with the marks that show it."""
    shown: dict[tuple[tuple[str, object], ...], list[str]] = {}
    for values, mark in _data(spec, []):
        for row in values:
            key = tuple((name, value) for name, value in row.items() if name not in _OF_THE_PICTURE)
            marks = shown.setdefault(key, [])
            if mark not in marks:
                marks.append(mark)
    return shown


def _data(view: Spec, above: list[dict[str, object]]) -> Iterator[tuple[list[dict[str, object]], str]]:
    """The values of each mark of a view, its own or those of the view that contains it."""
    if view.get("name") == LEGEND:
        return
    data = view.get("data")
    values = data["values"] if isinstance(data, dict) and "values" in data else above
    mark = view.get("mark")
    if mark is not None:
        yield values, mark["type"] if isinstance(mark, dict) else str(mark)
    for parts in ("layer", "hconcat", "vconcat"):
        for part in view.get(parts, ()):
            yield from _data(part, values)
