"""A chart as files: Vega-Lite JSON with sorted keys, and an SVG that refers to no other file."""

import json
from html import escape
from pathlib import Path

import vl_convert

from scripts.base.files import write_text
from scripts.charts.theme import INK, MUTED, RULE, Figure, themed

# vl-convert resolves relative links against this address. Without it they are relative again.
_LOADER_BASE = "https://vega.github.io/vega-datasets/"
_STYLE = (
    f"<style>.marks{{--ink:{INK};--muted:{MUTED};--rule:{RULE}}}"
    "@media(prefers-color-scheme:dark){.marks{--ink:#e7e9ec;--muted:#a9b0ba;--rule:#767d88}}"
    ".marks a:hover path,.marks a:focus path{stroke:var(--ink);stroke-width:2px}</style>"
)


def to_spec(chart: Figure) -> dict[str, object]:
    """The chart as a Vega-Lite mapping, in the look of the site.

    Altair checks the parts of a chart when they are made. A check of the whole would check all data as well.
    """
    return themed(chart).to_dict(validate=False)


def to_json(spec: dict[str, object]) -> str:
    """The specification as text. The same chart gives the same bytes."""
    return json.dumps(spec, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def to_svg(spec: dict[str, object]) -> str:
    """The chart as SVG: relative links, text in the reader's colours, the description as the label."""
    return finished_svg(vl_convert.vegalite_to_svg(to_json(spec)), str(spec["description"]))


def finished_svg(svg: str, description: str) -> str:
    """What `to_svg` makes of the SVG of Vega."""
    svg = svg.replace(f'xlink:href="{_LOADER_BASE}', 'href="')
    for name, colour in (("ink", INK), ("muted", MUTED), ("rule", RULE)):
        svg = svg.replace(f'fill="{colour}"', f'fill="{colour}" style="fill:var(--{name})"')
        svg = svg.replace(f'stroke="{colour}"', f'stroke="{colour}" style="stroke:var(--{name})"')
    role = "group" if "<a " in svg else "img"
    opening = svg[: svg.index(">") + 1]
    labelled = f'{opening[:-1]} role="{role}" aria-label="{escape(description)}">{_STYLE}'
    return labelled + svg[len(opening) :] + "\n"


def write_chart(chart: Figure, folder: Path, name: str) -> None:
    """Write `<name>.json` and `<name>.svg` into `folder`."""
    spec = to_spec(chart)
    write_text(folder / f"{name}.json", to_json(spec))
    write_text(folder / f"{name}.svg", to_svg(spec))
