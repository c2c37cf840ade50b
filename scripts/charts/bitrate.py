"""The bitrate of every video of a trial over time, with its stalls."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import VideoSecondRow, grouped
from scripts.charts.theme import chart_of, headed
from scripts.charts.timeline import WIDTH, Window, outside, panel_of, steady_words, time_axis

HEIGHT = 130
STALL = "#c74a55"


def bitrate_chart(
    seconds: Iterable[VideoSecondRow], window: Window | None, labels: Labels
) -> alt.VConcatChart:
    """A panel for each client that played a video, over one time axis and with one scale."""
    rows = sorted(seconds, key=lambda row: (row.number, row.at_s))
    trial, setting = rows[0].key, labels.setting(rows[0].setting)
    videos = [*grouped(rows, lambda row: row.number).values()]
    end_s, highest = max(row.at_s for row in rows) + 1, max(row.bitrate_kbps for row in rows) / 1000 or 1
    finding = "; ".join(_finding(video, labels) for video in videos)
    stalled = any(row.stalled for row in rows)
    readings = ["Line: bitrate of the fetched video", *(["red: playback stalled"] if stalled else [])]
    subtitle = [f"Trial {trial.nn}, {setting}", *steady_words(window), "; ".join(readings)]
    panels = [
        _panel(video, end_s, 1.08 * highest, window, labels, last=video is videos[-1]) for video in videos
    ]
    name = f"Bitrate of {labels.pair(trial.pair)}, trial {trial.nn}"
    summaries = "; ".join(_summary(video, labels) for video in videos)
    return alt.vconcat(*panels, spacing=14).properties(
        title=headed(finding, subtitle, WIDTH),
        description=f"{name}. {finding}. {setting}. {summaries}.",
    )


def _panel(
    rows: list[VideoSecondRow],
    end_s: int,
    top: float,
    window: Window | None,
    labels: Labels,
    last: bool,
) -> alt.LayerChart:
    """The bitrate in steps, and behind it a bar over the whole height for each stalled part of a second."""
    points = [{"time": row.at_s, "end": row.at_s + 1, "bitrate": row.bitrate_kbps / 1000} for row in rows]
    time = time_axis(end_s, last)
    bitrate = alt.Y("bitrate:Q", title=None, scale=alt.Scale(domain=[0, top]), axis=alt.Axis(tickCount=4))
    steps = [*points, points[-1] | {"time": points[-1]["end"]}]
    stalls = [
        {"time": row.at_s, "end": row.at_s + row.stalled, "stalled": row.stalled}
        for row in rows
        if row.stalled
    ]
    # The stroke keeps a short stall of a long trial visible.
    bars = chart_of(stalls).mark_rect(color=STALL, opacity=0.55, stroke=STALL, strokeWidth=1, aria=False)
    line = chart_of(steps).mark_line(
        interpolate="step-after", strokeWidth=2, color=labels.colours[rows[0].service], aria=False
    )
    layers: list[alt.Chart | alt.LayerChart] = [
        *outside(end_s, window, time),
        bars.encode(x=time, x2="end:Q"),
        line.encode(x=time, y=bitrate),
    ]
    return panel_of(layers, f"{_name(rows[0], labels)}: bitrate (Mbps)", HEIGHT)


def _name(row: VideoSecondRow, labels: Labels) -> str:
    return f"{labels.service(row.service)}, {row.client}"


def _finding(rows: list[VideoSecondRow], labels: Labels) -> str:
    """The mean bitrate, and how long playback stalled."""
    mean = sum(row.bitrate_kbps for row in rows) / len(rows) / 1000
    return f"{_name(rows[0], labels)}: {mean:.2f} Mbps on average, {_stalled(rows)}"


def _stalled(rows: list[VideoSecondRow]) -> str:
    stalled = sum(row.stalled for row in rows)
    return f"stalled for {stalled:.1f} s" if stalled else "never stalled"


def _summary(rows: list[VideoSecondRow], labels: Labels) -> str:
    """The chart's description of one video."""
    bitrates = [row.bitrate_kbps / 1000 for row in rows]
    limits = f"bitrate between {min(bitrates):.2f} and {max(bitrates):.2f} Mbps"
    return f"{_name(rows[0], labels)}: {limits}, {_stalled(rows)}"
