"""One trial over time: what each client received and how full the queue was (Prudentia Figs. 4 and 8)."""

from collections import defaultdict
from collections.abc import Iterable

import altair as alt
import pyarrow as pa
from altair.utils.schemapi import UndefinedType

from scripts.charts.labels import Labels
from scripts.charts.theme import MUTED, RULE, Row, chart_of

WIDTH = 720
MOST_POINTS = 600
SLOT_S = 0.1
LEGEND_COLUMNS = 4


def timeline(series: pa.Table, labels: Labels) -> alt.VConcatChart:
    """Throughput of each client above the occupancy of the queue, over one time axis.

    Args:
        series: the rows of `trial_series` of one trial. A trial of more than 600 slots is averaged over
            whole seconds, or more of them, so that a line never has more points than it has room for.
        labels: titles and colours of the services.
    """
    rows = series.to_pylist()
    first = rows[0]
    names = {row["client"]: _client_label(row, rows, labels) for row in rows}
    points, step_s = _points(rows, names)
    colour = _colour(rows, names, labels)
    longest = max(row["time_s"] for row in rows) + SLOT_S
    scale = alt.Scale(domain=[0, longest], nice=False)
    time = alt.X("time:Q", title=None, scale=scale, axis=alt.Axis(labels=False, tickCount=12))
    lines = (
        chart_of(points)
        .mark_line(strokeWidth=1.8, aria=False)
        .encode(color=colour, strokeDash=_dash(names), detail="client:N")
    )
    throughput = lines.encode(
        x=time, y=alt.Y("throughput:Q", title="Throughput (Mbps)", axis=alt.Axis(tickCount=5))
    ).properties(width=WIDTH, height=190)
    queue = lines.encode(
        x=time.title("Time since the start of the trial (s)").axis(tickCount=12, format="d"),
        y=alt.Y("backlog:Q", title="Queue (packets)", axis=alt.Axis(tickCount=5)),
    ).properties(width=WIDTH, height=150)
    title = f"{labels.pair(first['pair'])}, trial {first['trial']:02d}"
    detail = f"Means over {step_s:g} s; queue as the packets of each client found it on arrival"
    return alt.vconcat(
        throughput, _with_capacity(queue, labels.queues.get(first["setting"])), spacing=16
    ).properties(
        title=alt.Title(title, subtitle=[labels.setting(first["setting"]), detail]),
        description=_description(title, rows, names, labels.setting(first["setting"])),
    )


def _client_label(row: Row, rows: list[Row], labels: Labels) -> str:
    """The service's title; with the client's name where the same service stands on both sides."""
    twice = len({other["client"] for other in rows if other["service"] == row["service"]}) > 1
    title = labels.service(row["service"])
    return f"{title}, {row['client']}" if twice else title


def _in_order(clients: Iterable[str]) -> list[str]:
    """Clients by their number: c2 before c10."""
    return sorted(clients, key=lambda client: int(client.removeprefix("c")))


def _legend(names: dict[str, str]) -> alt.Legend | UndefinedType:
    """The theme's legend in one row; of many clients one in columns that the chart has room for."""
    return alt.Legend(columns=LEGEND_COLUMNS) if len(names) > LEGEND_COLUMNS else alt.Undefined


def _points(rows: list[Row], names: dict[str, str]) -> tuple[list[Row], float]:
    """The means of as many slots a point as keep a line within MOST_POINTS, and the seconds that is."""
    slots = max(row["slot"] for row in rows) + 1
    per_second = round(1 / SLOT_S)
    group = 1 if slots <= MOST_POINTS else per_second * -(-slots // (MOST_POINTS * per_second))
    gathered: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        gathered[row["client"], row["slot"] // group].append(row)
    points = [
        {
            "client": names[client],
            "time": round(place * group * SLOT_S, 1),
            "throughput": _mean(members, "throughput_mbps"),
            "backlog": _mean(members, "backlog_packets_mean"),
        }
        for (client, place), members in sorted(gathered.items())
    ]
    return points, group * SLOT_S


def _mean(rows: list[Row], column: str) -> float | None:
    """The mean of what is known, to a thousandth; None if nothing is."""
    known = [row[column] for row in rows if row[column] is not None]
    return round(sum(known) / len(known), 3) if known else None


def _colour(rows: list[Row], names: dict[str, str], labels: Labels) -> alt.Color:
    services = {row["client"]: row["service"] for row in rows}
    clients = _in_order(names)
    return alt.Color(
        "client:N",
        title=None,
        legend=_legend(names),
        sort=[names[client] for client in clients],
        scale=alt.Scale(
            domain=[names[client] for client in clients],
            range=[_shade(client, services, labels) for client in clients],
        ),
    )


def _shade(client: str, services: dict[str, str], labels: Labels) -> str:
    """The service's colour; the second client of a self-pair is grey, and dashed as well."""
    same = _in_order(other for other in services if services[other] == services[client])
    earlier = same.index(client)
    return RULE if earlier else labels.colours[services[client]]


def _dash(names: dict[str, str]) -> alt.StrokeDash:
    """A second sign beside colour: the first client's line is whole, the second's dashed."""
    clients = _in_order(names)
    dashes = [[1, 0], [5, 2], [2, 2]]
    return alt.StrokeDash(
        "client:N",
        title=None,
        legend=_legend(names),
        sort=[names[client] for client in clients],
        scale=alt.Scale(domain=[names[client] for client in clients], range=dashes[: len(clients)]),
    )


def _with_capacity(queue: alt.Chart, capacity: int | None) -> alt.Chart | alt.LayerChart:
    """The queue's chart with a line at the packets it holds, where that is known."""
    if capacity is None:
        return queue
    limit = chart_of([{"capacity": capacity, "text": f"queue holds {capacity}"}]).encode(y="capacity:Q")
    return alt.LayerChart(
        layer=[
            queue,
            limit.mark_rule(color=MUTED, strokeDash=[2, 3], aria=False),
            limit.mark_text(
                color=MUTED, align="right", baseline="bottom", dy=-3, fontSize=12, aria=False
            ).encode(x=alt.value(WIDTH), text="text:N"),
        ]
    )


def _description(title: str, rows: list[Row], names: dict[str, str], setting: str) -> str:
    told = []
    for client in _in_order(names):
        mine = [row for row in rows if row["client"] == client]
        deepest = max((row["backlog_packets_max"] or 0 for row in mine), default=0)
        told.append(
            f"{names[client]}: mean throughput {_mean(mine, 'throughput_mbps') or 0:.2f} Mbps, "
            f"queue found at most {deepest} packets"
        )
    return f"{title}. {setting}. Throughput and queue occupancy over time, whole trial. {'; '.join(told)}."
