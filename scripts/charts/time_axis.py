"""The time axis of the charts of a trial, and the shade over all but its steady window."""

import altair as alt

from scripts.charts.chart_data import LEGEND
from scripts.charts.theme import RULE, chart_of

WIDTH = 360
"""The width of a panel: with axis and margins, the text of the chart is legible on a telephone."""

TITLE = "Time since the start of the trial (s)"

Window = tuple[float, float]
"""Start and stop of the steady window, in seconds since the start of the trial."""


def time_axis(end_s: float, last: bool) -> alt.X:
    """The axis of the column `time`. Only the last panel has numbers and a title."""
    scale = alt.Scale(domain=[0, end_s], nice=False)
    axis = alt.Axis(tickCount=7, format="d") if last else alt.Axis(tickCount=7, labels=False)
    return alt.X("time:Q", title=TITLE if last else None, scale=scale, axis=axis)


def outside(end_s: float, window: Window | None, time: alt.X) -> list[alt.LayerChart]:
    """The shade before and after the steady window; nothing if there is no window."""
    if window is None:
        return []
    start, stop = window
    parts = chart_of([{"time": 0, "until": start}, {"time": min(stop, end_s), "until": end_s}])
    shade = parts.mark_rect(color=RULE, opacity=0.2, aria=False).encode(x=time, x2="until:Q")
    return [alt.LayerChart(layer=[shade]).properties(name=LEGEND)]


def steady_words(window: Window | None) -> list[str]:
    """What the shade means."""
    return [] if window is None else [f"Unshaded: the steady window, {window[0]:g}–{window[1]:g} s"]
