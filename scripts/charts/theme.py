"""The look of every chart: font, colours, and a transparent background for light and dark pages."""

from collections.abc import Iterator, Sequence

import altair as alt

Datum = dict[str, object]
"""One row of the data inside a chart's specification."""

Figure = alt.LayerChart | alt.VConcatChart | alt.HConcatChart

Charts = Iterator[tuple[str, Figure]]
"""Charts with their names."""

# vl-convert brings the first family along, so text has the same width on every machine. Readers who lack it
# see Arial, which has the same widths.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# scripts/charts/render.py replaces exactly these values by the reader's text colours, light or dark.
INK = "#1c1f23"
MUTED = "#5d646e"
RULE = "#8b929c"


def chart_of(data: Sequence[Datum]) -> alt.Chart:
    """A chart whose specification contains this data."""
    return alt.Chart(alt.Data(values=list(data)))  # type: ignore[no-untyped-call]


def themed(chart: Figure) -> Figure:
    """The chart in the look of this site."""
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
