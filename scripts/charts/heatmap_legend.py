"""The legend of a heatmap: its bins with the numbers between them, and the looks of cells without a value."""

from collections.abc import Collection
from typing import Literal

import altair as alt

from scripts.charts.chart_data import LEGEND
from scripts.charts.scales import MISSING, Scale
from scripts.charts.text_widths import text_width
from scripts.charts.theme import INK, MUTED, RULE, Datum, chart_of

WIDEST, NARROWEST = 46, 29
BAR, LINE = 16, 26
SAMPLE = 40

OUTLINES: dict[str, list[int]] = {
    "unmeasured": [1, 4],
    "invalid": [4, 3],
    "unable": [4, 3],
    "incomparable": [4, 3],
}
"""The dashes around a cell without a value."""


def heatmap_legend(scale: Scale, missing: Collection[str], width: float) -> alt.LayerChart:
    """The legend as a view of its own.

    Args:
        scale: the bins.
        missing: the kinds of cells without a value that the heatmap has.
        width: the width of the heatmap in px.
    """
    shown = [kind for kind in MISSING if kind in missing]
    layers = [*_bins(scale, width), *_numbers(scale, width), *(_samples(shown) if shown else ())]
    height = 2 * BAR + LINE * len(shown)
    return alt.LayerChart(layer=layers, name=LEGEND).properties(width=width, height=height)


def bin_colours(scale: Scale) -> alt.Color:
    """The colour of the field `level`. The legend of Vega is replaced by ours."""
    levels = alt.Scale(domain=list(range(len(scale.colours))), range=list(scale.colours))
    return alt.Color("level:O", scale=levels, legend=None)


def outlined(cells: alt.Chart, state: str) -> alt.Chart:
    """The cells of one kind without a value: transparent, with dashes of their own."""
    of_state = cells.transform_filter(alt.datum.state == state)
    outline: alt.Chart = of_state.mark_rect(fillOpacity=0, stroke=RULE, strokeDash=OUTLINES[state])
    return outline


def _step(scale: Scale, width: float) -> float:
    return max(NARROWEST, min(WIDEST, width / len(scale.colours)))


def _bins(scale: Scale, width: float) -> list[alt.Chart]:
    step = _step(scale, width)
    bins: list[Datum] = [
        {"level": level, "x": step * level, "x2": step * (level + 1)} for level in range(len(scale.colours))
    ]
    bars = chart_of(bins).mark_rect(stroke="#8b929c40", aria=False)
    return [bars.encode(x=_x("x"), x2="x2", y=alt.value(0), y2=alt.value(BAR), color=bin_colours(scale))]


def _numbers(scale: Scale, width: float) -> list[alt.Chart]:
    """The breaks below the edges of the bins, and the unit behind them."""
    step = _step(scale, width)
    edges: list[Datum] = [
        {"x": step * (place + 1), "text": f"{edge:g}"} for place, edge in enumerate(scale.breaks)
    ]
    unit: list[Datum] = [{"x": step * len(scale.colours), "text": scale.unit}]
    aligned: list[tuple[list[Datum], Literal["center", "right"]]] = [(edges, "center"), (unit, "right")]
    return [
        chart_of(rows)
        .mark_text(align=align, baseline="top", fontSize=12, color=MUTED, aria=False)
        .encode(x=_x("x"), y=alt.value(BAR + 4), text="text:N")
        for rows, align in aligned
    ]


def _samples(kinds: list[str]) -> list[alt.Chart]:
    """A small cell of each kind, with its meaning behind it."""
    rows: list[Datum] = [
        {
            "state": kind,
            "text": MISSING[kind].text,
            "meaning": MISSING[kind].meaning,
            "x": 1,
            "x2": 1 + _sample(kinds),
            "y": 2 * BAR + LINE * place + 4,
            "y2": 2 * BAR + LINE * (place + 1) - 2,
        }
        for place, kind in enumerate(kinds)
    ]
    base = chart_of(rows).encode(x=_x("x"), x2="x2", y=_y("y"), y2="y2")
    words = chart_of(rows).transform_calculate(middle="(datum.y + datum.y2) / 2")
    inside = words.mark_text(fontSize=12, color=INK, aria=False)
    behind = words.mark_text(fontSize=12, color=MUTED, align="left", aria=False)
    return [
        *(outlined(base, kind) for kind in kinds),
        inside.encode(x=alt.value(1 + _sample(kinds) / 2), y=_y("middle"), text="text:N"),
        behind.encode(x=alt.value(9 + _sample(kinds)), y=_y("middle"), text="meaning:N"),
    ]


def _sample(kinds: list[str]) -> float:
    return max([SAMPLE, *(text_width(MISSING[kind].text, 12) + 14 for kind in kinds)])


def _x(column: str) -> alt.X:
    """A column of places in px."""
    return alt.X(f"{column}:Q", scale=None, axis=None)


def _y(column: str) -> alt.Y:
    return alt.Y(f"{column}:Q", scale=None, axis=None)
