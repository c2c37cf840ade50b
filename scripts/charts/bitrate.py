"""The bitrate of every video of a trial over time, with its stalls."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import VideoSecondRow
from scripts.charts.theme import MUTED, Datum, chart_of

WIDTH, HEIGHT = 720, 150
STALL = "#c74a55"


def bitrate_chart(seconds: Iterable[VideoSecondRow], labels: Labels) -> alt.VConcatChart:
    """A panel for each client that played a video, over one time axis.

    Args:
        seconds: the rows of `qoe_video_series` of one trial, those with a bitrate. Some live
            services report none.
        labels: titles and colours of the services.
    """
    rows = sorted(seconds, key=lambda row: (row.number, row.at_s))
    trial = rows[0].key
    videos = [
        [row for row in rows if row.number == number] for number in sorted({row.number for row in rows})
    ]
    end_s = max(row.at_s for row in rows) + 1
    title = f"Bitrate of {labels.pair(trial.pair)}, trial {trial.nn}"
    summaries = "; ".join(_summary(video, labels) for video in videos)
    panels = [_panel(video, end_s, labels, last=video is videos[-1]) for video in videos]
    return alt.vconcat(*panels, spacing=16).properties(
        title=alt.Title(
            title,
            subtitle=[
                labels.setting(trial.setting),
                "Line: bitrate of the fetched video; bar: the part of a second in which playback stalled",
            ],
        ),
        description=f"{title}. {labels.setting(trial.setting)}. {summaries}.",
    )


def _panel(rows: list[VideoSecondRow], end_s: int, labels: Labels, last: bool) -> alt.LayerChart:
    """The bitrate in steps, and behind it a bar for each second with a stall."""
    highest = max(row.bitrate_kbps / 1000 for row in rows) or 1
    points = [_point(row) for row in rows]
    axis = alt.Axis(tickCount=12, format="d") if last else alt.Axis(labels=False, tickCount=12)
    time = alt.X(
        "time:Q",
        title="Time since the start of the trial (s)" if last else None,
        scale=alt.Scale(domain=[0, end_s], nice=False),
        axis=axis,
    )
    bitrate = alt.Y("bitrate:Q", title="Bitrate (Mbps)", scale=alt.Scale(domain=[0, highest * 1.08]))
    steps = [*points, points[-1] | {"time": points[-1]["end"]}]
    stalls = chart_of([_point(row) | {"height": row.stalled * highest} for row in rows if row.stalled])
    return alt.LayerChart(
        layer=[
            stalls.mark_bar(color=STALL, opacity=0.5, aria=False).encode(
                x=time, x2="end:Q", y=alt.Y("height:Q", title="Bitrate (Mbps)"), y2=alt.datum(0)
            ),
            chart_of(steps)
            .mark_line(
                interpolate="step-after", strokeWidth=2, color=labels.colours[rows[0].service], aria=False
            )
            .encode(x=time, y=bitrate),
        ]
    ).properties(
        width=WIDTH, height=HEIGHT, title=alt.Title(_name(rows[0], labels), fontSize=13, color=MUTED)
    )


def _point(row: VideoSecondRow) -> Datum:
    return {
        "time": row.at_s,
        "end": row.at_s + 1,
        "bitrate": row.bitrate_kbps / 1000,
        "stalled": row.stalled,
    }


def _name(row: VideoSecondRow, labels: Labels) -> str:
    return f"{labels.service(row.service)}, {row.client}"


def _summary(rows: list[VideoSecondRow], labels: Labels) -> str:
    """The chart's description of one video."""
    bitrates = [row.bitrate_kbps / 1000 for row in rows]
    limits = f"bitrate between {min(bitrates):.2f} and {max(bitrates):.2f} Mbps"
    return f"{_name(rows[0], labels)}: {limits}, stalled for {sum(row.stalled for row in rows):.1f} s"
