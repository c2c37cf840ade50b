"""A chart as files: Vega-Lite JSON with sorted keys, SVG, PNG, and the data that it shows as CSV.

None of them refers to another file, and each names its source, cycle and licence. So does every row of
the CSV, also when it is copied into another table.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import vl_convert
from PIL import Image

from scripts.base.files import write_bytes, write_text
from scripts.charts.origin import ChartOrigin
from scripts.charts.svg_finish import finished, on_white
from scripts.charts.theme import LEGEND, AnyChart, themed

FORMS = ("svg", "png", "csv", "json")
"""The files of a chart of a cycle. A chart of a trial has the first only."""

_PNG_SCALE, _PNG_COLOURS = 2, 255

_OF_THE_PICTURE = ("href", "text", "y", "top", "bottom")
"""Columns that say how a row is drawn."""

Spec = Mapping[str, Any]


def to_spec(chart: AnyChart, origin: ChartOrigin | None = None) -> dict[str, object]:
    """The chart as a Vega-Lite mapping, in the look of the site.

    Altair checks the parts of a chart when they are made. A check of the whole would check all data as well.
    """
    spec = themed(chart).to_dict(validate=False)
    return spec if origin is None else spec | {"usermeta": origin.fields}


def to_json(spec: dict[str, object]) -> str:
    """The specification as text. The same chart gives the same bytes."""
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text + "\n"


def to_svg(spec: dict[str, object], origin: ChartOrigin | None = None) -> str:
    """The chart as SVG: relative links, text in the reader's colours, the description as the label."""
    svg = vl_convert.vegalite_to_svg(to_json(spec))
    return finished(svg, str(spec["description"]), origin.line if origin else None)


def to_png(svg: str) -> bytes:
    """An SVG of `to_svg` as a bitmap on white. A palette takes an eighth of the bytes of full colours."""
    full = Image.open(BytesIO(vl_convert.svg_to_png(on_white(svg), scale=_PNG_SCALE))).convert("RGB")
    written = BytesIO()
    few = full.quantize(_PNG_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(written, "PNG", compress_level=9)
    return written.getvalue()


def write_chart(
    chart: AnyChart, folder: Path, name: str, origin: ChartOrigin, picture_only: bool = False
) -> None:
    """Write the chart in every form into `folder`, or as SVG only."""
    spec = to_spec(chart, origin)
    svg = to_svg(spec, origin)
    write_text(folder / f"{name}.svg", svg)
    if picture_only:
        return
    write_bytes(folder / f"{name}.png", to_png(svg))
    write_text(folder / f"{name}.csv", to_csv(spec, origin))
    write_text(folder / f"{name}.json", to_json(spec))


def to_csv(spec: Spec, origin: ChartOrigin) -> str:
    """A row for each datum, and `mark`: the marks that show it. A header line, and no comments."""
    rows: list[dict[str, object]] = [
        {**origin.fields, "mark": "+".join(marks), **dict(row)} for row, marks in _shown(spec).items()
    ]
    shown = dict.fromkeys(column for row in rows for column in row if column not in origin.fields)
    columns = [*shown, *origin.fields]
    written = StringIO(newline="")
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
