"""A chart as files: Vega-Lite JSON with sorted keys, SVG, PNG, and the data that it shows as CSV.

None of them refers to another file, and each names its source, cycle and licence.
"""

import json
from io import BytesIO
from pathlib import Path

import vl_convert
from PIL import Image

from scripts.base.files import write_bytes, write_text
from scripts.charts.chart_data import to_csv
from scripts.charts.origin import ChartOrigin
from scripts.charts.svg_finish import finished, on_white
from scripts.charts.theme import Figure, themed

FORMS = ("svg", "png", "csv", "json")
"""The files of a chart of a cycle. A chart of a trial has the first only."""

_PNG_SCALE, _PNG_COLOURS = 2, 255


def to_spec(chart: Figure, origin: ChartOrigin | None = None) -> dict[str, object]:
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


def write_chart(chart: Figure, folder: Path, name: str, origin: ChartOrigin) -> None:
    """Write the chart in every form into `folder`."""
    spec = to_spec(chart, origin)
    svg = to_svg(spec, origin)
    write_text(folder / f"{name}.svg", svg)
    write_bytes(folder / f"{name}.png", to_png(svg))
    write_text(folder / f"{name}.csv", to_csv(spec, origin))
    write_text(folder / f"{name}.json", to_json(spec))
