"""How every chart looks: type, ink, and a transparent ground that suits a light and a dark page."""

from typing import Any

import altair as alt

Row = dict[str, Any]
Figure = alt.LayerChart | alt.VConcatChart | alt.HConcatChart

# The first family is the one vl-convert carries, so that text is measured alike on every machine; a
# reader without it gets Arial, which has the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# Exact values that `render` turns into the reader's text colours, light or dark.
INK = "#1c1f23"
MUTED = "#5d646e"
RULE = "#8b929c"


def chart_of(rows: list[Row]) -> alt.Chart:
    """A chart that carries these rows in its own specification."""
    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def themed(chart: Figure) -> Figure:
    """The chart with the look of this site."""
    look: Figure = (
        chart.configure(
            background="transparent", font=FONT, padding={"left": 18, "right": 14, "top": 6, "bottom": 6}
        )
        .configure_view(stroke=None)
        .configure_title(
            anchor="start",
            fontSize=16,
            fontWeight="bold",
            color=INK,
            subtitleColor=MUTED,
            subtitleFontSize=13,
            subtitlePadding=5,
            offset=14,
        )
        .configure_axis(
            labelColor=INK,
            labelFontSize=13,
            titleColor=MUTED,
            titleFontSize=13,
            titleFontWeight="normal",
            titlePadding=10,
            domainColor=RULE,
            tickColor=RULE,
            gridColor=RULE,
            gridOpacity=0.3,
            labelLimit=260,
        )
        .configure_legend(
            labelColor=INK,
            labelFontSize=13,
            titleColor=MUTED,
            titleFontSize=13,
            titleFontWeight="normal",
            orient="top",
            symbolStrokeWidth=3,
            labelLimit=320,
        )
    )
    return look
