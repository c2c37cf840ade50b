"""The look of every chart: font, colours, and a transparent background for light and dark pages."""

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode

from scripts.charts.text_widths import lines_of

Datum = dict[str, Any]
"""One row of the data inside a chart's specification."""

AnyChart = alt.LayerChart | alt.VConcatChart | alt.HConcatChart

Charts = Iterator[tuple[str, AnyChart]]
"""Charts with their names."""

# vl-convert brings the first family along, so text has the same width on every machine. Readers who lack it
# see Arial, which has the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# scripts/charts/render.py replaces exactly these values by the reader's text colours, light or dark.
INK = "#1c1f23"
MUTED = "#5d646e"
RULE = "#8b929c"

TITLE_SIZE, SUBTITLE_SIZE = 16, 13

LEGEND = "legend"
"""Views with this name show no data."""

LINKED = {"href": "href:N", "description": "label:N", "tooltip": "label:N"}
"""The channels of marks that have words, and link to a page."""


def chart_of(data: Sequence[Datum]) -> alt.Chart:
    """A chart whose specification contains this data.

    Altair would check every value against the schema of Vega-Lite, which takes much of the time of a chart.
    """
    with debug_mode(False):
        return alt.Chart(alt.Data(values=list(data)))  # type: ignore[no-untyped-call]


def headed(title: str, subtitle: Sequence[str], width: float) -> alt.Title:
    """A title in lines that fit the chart.

    Args:
        title: what the chart shows, as a sentence with its numbers.
        subtitle: the setting, the quantity, and how to read the marks; a line or more each.
        width: the width in px.
    """
    lines = [line for part in subtitle for line in lines_of(part, width, SUBTITLE_SIZE)]
    return alt.Title(lines_of(title, width, TITLE_SIZE, bold=True), subtitle=lines)


def themed(chart: AnyChart) -> AnyChart:
    """The chart in the look of this site."""
    text = {
        "labelColor": INK,
        "labelFontSize": 13,
        "titleColor": MUTED,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
    }
    look: AnyChart = (
        chart.configure(
            background="transparent", font=FONT, padding={"left": 18, "right": 14, "top": 6, "bottom": 6}
        )
        .configure_view(stroke=None)
        .configure_title(
            anchor="start",
            fontSize=TITLE_SIZE,
            fontWeight="bold",
            color=INK,
            subtitleColor=MUTED,
            subtitleFontSize=SUBTITLE_SIZE,
            subtitlePadding=5,
            offset=14,
        )
        .configure_axis(
            **text,
            titlePadding=10,
            domainColor=RULE,
            tickColor=RULE,
            gridColor=RULE,
            gridOpacity=0.3,
            labelLimit=260,
        )
        .configure_legend(**text, orient="top", symbolStrokeWidth=3, labelLimit=320)
    )
    return look
