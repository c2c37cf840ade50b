"""The chart of a history: a panel for each figure, a line for each side (Prudentia Fig. 9).

The root has hundreds of such charts, which differ in their data only. Altair makes the chart of each set
of panels once, and Vega-Lite compiles it once. Each chart is that Vega specification with other data,
in a tenth of the time that its own specification would take.
"""

import copy
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from scripts.base.files import write_text
from scripts.charts.chart_labels import PARTIES
from scripts.charts.render import to_spec
from scripts.charts.svg_finish import finished
from scripts.charts.theme import INK, MUTED, RULE, Datum

WIDTH, HEIGHT = 480, 150
MOST_TICKS = 5
MOST_SIDES = 4
SHIFT = 0.07
"""Neighbouring sides are drawn this part of a cycle apart, so that their intervals do not hide each other."""

CYCLES, TICKS = "cycles", "ticks"
"""The parameters of the template: the names of the cycles, and the places of those that the axis names."""

DASHES = {"method": [1, 0], "code": [2, 4], "host": [6, 3]}
LETTERS = {"method": "M", "code": "C", "host": "H"}


@dataclass(frozen=True)
class HistoryPanel:
    """A panel of the chart: the title of its axis, and the value of the line for a fair division, if any."""

    title: str
    fair: float | None = None


@dataclass(frozen=True)
class HistoryPoint:
    """A median with its interval: panel and side by number, the cycle by its place, the part of its line.

    A line ends where the method differs, and the next part begins.
    """

    panel: int
    side: int
    place: int
    part: int
    median: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class HistoryChart:
    """All that a chart shows.

    Attributes:
        cycles: the names of the cycles on the axis.
        panels: the panels from top to bottom.
        sides: the name of each line.
        points: the medians.
        breaks: places between two cycles, each with what differs: method, code or host.
        description: the chart in words.
    """

    cycles: tuple[str, ...]
    panels: tuple[HistoryPanel, ...]
    sides: tuple[str, ...]
    points: tuple[HistoryPoint, ...]
    breaks: tuple[tuple[float, str], ...]
    description: str


def write_chart(path: Path, chart: HistoryChart) -> None:
    """Write one chart as SVG. It is here so that a process that only draws loads no more than that needs."""
    write_text(path, to_svg(chart))


def to_svg(chart: HistoryChart) -> str:
    """The chart as SVG. The same chart gives the same bytes."""
    vega = copy.deepcopy(_template(chart.panels, len(chart.sides)))
    known = {CYCLES: list(chart.cycles), TICKS: _ticks(len(chart.cycles))}
    for signal in vega["signals"]:
        if signal["name"] in known:
            signal["value"] = known[signal["name"]]
    data = _data(chart)
    for source in vega["data"]:
        if source["name"] in data:
            source["values"] = data[source["name"]]
    return finished(vl_convert.vega_to_svg(json.dumps(vega)), chart.description)


def _data(chart: HistoryChart) -> dict[str, list[Datum]]:
    """The rows of each data set of the template."""
    sets: dict[str, list[Datum]] = {
        "breaks": [{"x": place, "kind": kind, "letter": LETTERS[kind]} for place, kind in chart.breaks],
        "sides": [{"side": str(side), "name": name} for side, name in enumerate(chart.sides)],
    }
    for number in range(len(chart.panels)):
        points = [point for point in chart.points if point.panel == number]
        sets[f"medians{number}"] = [
            _at(point, len(chart.sides)) | {"value": point.median, "part": f"{point.side} {point.part}"}
            for point in points
        ]
        sets[f"intervals{number}"] = [
            _at(point, len(chart.sides)) | {"low": point.low, "high": point.high}
            for point in points
            if point.low is not None and point.high is not None
        ]
    return sets


def _at(point: HistoryPoint, sides: int) -> Datum:
    shift = SHIFT * (point.side - (sides - 1) / 2)
    return {"x": round(point.place + shift, 3), "side": str(point.side)}


@cache
def _template(panels: tuple[HistoryPanel, ...], sides: int) -> dict[str, Any]:
    """The Vega specification of a chart without data."""
    parameters = [alt.param(name=name, value=[]) for name in (CYCLES, TICKS)]
    shown = [_panel(number, panel, len(panels)) for number, panel in enumerate(panels)]
    chart = alt.vconcat(_names(sides), *shown, spacing=10).properties(description="").add_params(*parameters)
    spec: dict[str, Any] = vl_convert.vegalite_to_vega(to_spec(chart))
    return spec


def _names(sides: int) -> alt.Chart:
    """The legend: the name of each side in its colour, one below the other."""
    names: alt.Chart = (
        alt.Chart(alt.NamedData("sides"))
        .mark_text(align="left", fontSize=13, fontWeight="bold", aria=False)
        .encode(
            x=alt.value(0),
            y=alt.Y("side:N", axis=None, scale=alt.Scale(domain=_sides()[:sides])),
            text="name:N",
            color=_colour(),
        )
        .properties(width=WIDTH, height=alt.Step(18))
    )
    return names


def _panel(number: int, panel: HistoryPanel, panels: int) -> alt.LayerChart:
    """One panel: where something differs, the fair division, intervals, lines and medians."""
    ends = [alt.expr("-0.5"), alt.expr(f"length({CYCLES}) - 0.5")]
    scale = alt.Scale(domain=ends, nice=False, zero=False)
    x = alt.X("x:Q", title=None, scale=scale, axis=_axis(labels=number == panels - 1))
    y = alt.Y("value:Q", title=panel.title, axis=alt.Axis(tickCount=5))
    medians = alt.Chart(alt.NamedData(f"medians{number}")).encode(x=x, y=y, color=_colour())
    intervals = alt.Chart(alt.NamedData(f"intervals{number}")).encode(
        x=x, y=alt.Y("low:Q", title=panel.title), y2="high:Q", color=_colour()
    )
    layers = [
        *_breaks(x, letters=number == 0),
        intervals.mark_rule(strokeWidth=1.5, opacity=0.6, aria=False),
        medians.mark_line(strokeWidth=1.8, aria=False).encode(detail="part:N"),
        medians.mark_point(filled=True, size=32, opacity=1, aria=False).encode(
            shape=alt.Shape("side:N", legend=None, scale=alt.Scale(domain=_sides()))
        ),
    ]
    if panel.fair is not None:
        fair = alt.Chart(alt.InlineData(values=[{"fair": panel.fair}])).mark_rule(color=MUTED, aria=False)
        layers.insert(0, fair.encode(y=alt.Y("fair:Q", title=panel.title)))
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT)


def _breaks(x: alt.X, *, letters: bool) -> list[alt.Chart]:
    """A line where something differs from the cycle before, with its letter."""
    chart = alt.Chart(alt.NamedData("breaks")).encode(x=x)
    kinds = alt.Scale(domain=list(DASHES), range=list(DASHES.values()))
    lines = chart.mark_rule(color=RULE, aria=False).encode(
        strokeDash=alt.StrokeDash("kind:N", legend=None, scale=kinds)
    )
    if not letters:
        return [lines]
    # A line of letters for each kind: side by side they would overprint those of the next cycle.
    texts = [
        chart.transform_filter(alt.datum.letter == letter)
        .mark_text(color=INK, fontSize=11, aria=False)
        .encode(y=alt.value(-6 - 13 * place), text="letter:N")
        for place, letter in enumerate(LETTERS.values())
    ]
    return [lines, *texts]


def _ticks(cycles: int) -> list[int]:
    """The places of the cycles that the axis names: no more than MOST_TICKS, the last one included."""
    step = -(-cycles // MOST_TICKS)
    return list(range(cycles - 1, -1, -step))[::-1]


def _axis(*, labels: bool) -> alt.Axis:
    names = f"{CYCLES}[datum.value]"
    return alt.Axis(values=alt.expr(TICKS), labelExpr=names, labels=labels, grid=False, labelOverlap=False)


def _sides() -> list[str]:
    return [str(side) for side in range(MOST_SIDES)]


def _colour() -> alt.Color:
    colours = alt.Scale(domain=_sides(), range=list(PARTIES[:MOST_SIDES]))
    return alt.Color("side:N", legend=None, scale=colours)
