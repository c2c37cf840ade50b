"""The bitrate of every video of a trial over time, with what stood still."""

import altair as alt
import pyarrow as pa

from scripts.charts.labels import Labels
from scripts.charts.theme import MUTED, Row, chart_of

WIDTH, HEIGHT = 720, 150
STALL = "#c74a55"


def bitrate_chart(series: pa.Table, labels: Labels) -> alt.VConcatChart:
    """A panel for each client that played a video, over one time axis.

    Args:
        series: the rows of `qoe_video_series` of one trial with a bitrate; a live service may tell none.
        labels: titles and colours of the services.
    """
    rows = sorted(series.to_pylist(), key=lambda row: (row["client"], row["at_s"]))
    first = rows[0]
    clients = sorted({row["client"] for row in rows}, key=lambda client: int(client.removeprefix("c")))
    longest = max(row["at_s"] for row in rows) + 1
    panels = [
        _panel([row for row in rows if row["client"] == client], longest, labels, last=client == clients[-1])
        for client in clients
    ]
    title = f"Bitrate of {labels.pair(first['pair'])}, trial {first['trial']:02d}"
    told = "; ".join(_told([row for row in rows if row["client"] == client], labels) for client in clients)
    return alt.vconcat(*panels, spacing=16).properties(
        title=alt.Title(
            title,
            subtitle=[
                labels.setting(first["setting"]),
                "A line is what was fetched, a bar the part of a second in which the picture stood still",
            ],
        ),
        description=f"{title}. {labels.setting(first['setting'])}. {told}.",
    )


def _panel(rows: list[Row], longest: float, labels: Labels, last: bool) -> alt.LayerChart:
    """Steps of the bitrate, and behind them a bar for each second that a stall took a part of."""
    service = rows[0]["service"]
    points = [
        {
            "time": row["at_s"],
            "end": row["at_s"] + 1,
            "bitrate": row["bitrate_kbps"] / 1000,
            "stalled": row["stalled"],
        }
        for row in rows
    ]
    highest = max(point["bitrate"] for point in points) or 1
    axis = alt.Axis(tickCount=12, format="d") if last else alt.Axis(labels=False, tickCount=12)
    time = alt.X(
        "time:Q",
        title="Time since the start of the trial (s)" if last else None,
        scale=alt.Scale(domain=[0, longest], nice=False),
        axis=axis,
    )
    bitrate = alt.Y("bitrate:Q", title="Bitrate (Mbps)", scale=alt.Scale(domain=[0, highest * 1.08]))
    steps = [*points, points[-1] | {"time": points[-1]["end"]}]
    stalls = chart_of(
        [point | {"height": point["stalled"] * highest} for point in points if point["stalled"]]
    )
    return alt.LayerChart(
        layer=[
            stalls.mark_bar(color=STALL, opacity=0.5, aria=False).encode(
                x=time, x2="end:Q", y=alt.Y("height:Q", title="Bitrate (Mbps)"), y2=alt.datum(0)
            ),
            chart_of(steps)
            .mark_line(interpolate="step-after", strokeWidth=2, color=labels.colours[service], aria=False)
            .encode(x=time, y=bitrate),
        ]
    ).properties(
        width=WIDTH,
        height=HEIGHT,
        title=alt.Title(f"{labels.service(service)}, {rows[0]['client']}", fontSize=13, color=MUTED),
    )


def _told(rows: list[Row], labels: Labels) -> str:
    bitrates = [row["bitrate_kbps"] / 1000 for row in rows]
    between = f"bitrate between {min(bitrates):.2f} and {max(bitrates):.2f} Mbps"
    stood = f"stood still for {sum(row['stalled'] for row in rows):.1f} s"
    return f"{labels.service(rows[0]['service'])}, {rows[0]['client']}: {between}, {stood}"
