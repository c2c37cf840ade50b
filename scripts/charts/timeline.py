"""One trial over time: the throughput of each client, and the queue (Prudentia Figs. 4 and 8)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import altair as alt
from altair.utils.schemapi import UndefinedType

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import SlotRow
from scripts.charts.theme import MUTED, RULE, Datum, chart_of

WIDTH = 720
MOST_POINTS = 600
SLOT_S = 0.1
LEGEND_COLUMNS = 4
DASHES = ([1, 0], [5, 2], [2, 2])


@dataclass(frozen=True)
class Line:
    """One client of the trial: its name in the legend, its colour and its slots in order of time."""

    name: str
    colour: str
    slots: list[SlotRow]


def timeline(slots: Sequence[SlotRow], labels: Labels) -> alt.VConcatChart:
    """Throughput of each client above the occupancy of the queue, over one time axis.

    Args:
        slots: the rows of `trial_series` of one trial. A trial of more than 600 slots is averaged over one or
            more whole seconds, so that a line has at most 600 points.
        labels: titles and colours of the services.
    """
    trial = slots[0].key
    lines = _lines(slots, labels)
    group = _slots_per_point(slots)
    end_s = max(row.time_s for row in slots) + SLOT_S
    scale = alt.Scale(domain=[0, end_s], nice=False)
    time = alt.X("time:Q", title=None, scale=scale, axis=alt.Axis(labels=False, tickCount=12))
    curves = (
        chart_of(_points(lines, group))
        .mark_line(strokeWidth=1.8, aria=False)
        .encode(color=_colours(lines), strokeDash=_dashes(lines), detail="client:N")
    )
    throughput = curves.encode(
        x=time, y=alt.Y("throughput:Q", title="Throughput (Mbps)", axis=alt.Axis(tickCount=5))
    ).properties(width=WIDTH, height=190)
    queue = curves.encode(
        x=time.title("Time since the start of the trial (s)").axis(tickCount=12, format="d"),
        y=alt.Y("backlog:Q", title="Queue (packets)", axis=alt.Axis(tickCount=5)),
    ).properties(width=WIDTH, height=150)
    title, setting = f"{labels.pair(trial.pair)}, trial {trial.nn}", labels.setting(trial.setting)
    reading = f"Means over {group * SLOT_S:g} s; queue: its length when packets of each client arrive"
    return alt.vconcat(
        throughput, _with_capacity(queue, labels.queues.get(trial.setting)), spacing=16
    ).properties(
        title=alt.Title(title, subtitle=[setting, reading]),
        description=f"{title}. {setting}. Throughput and queue over the whole trial. {_summary(lines)}.",
    )


def names_and_colours(services: Mapping[str, str], labels: Labels) -> dict[str, tuple[str, str]]:
    """The name in the legend and the colour of every client.

    Args:
        services: the service of every client of a trial, in order of the clients.
        labels: titles and colours of the services.

    Returns:
        By client: its service's title, with the client's name where the trial has more than one client of the
        service; and its service's colour. Further clients of the same service are grey.
    """
    used = list(services.values())
    found = {}
    for place, (client, service) in enumerate(services.items()):
        title = labels.service(service)
        name = f"{title}, {client}" if used.count(service) > 1 else title
        found[client] = name, RULE if service in used[:place] else labels.colours[service]
    return found


def _lines(slots: Iterable[SlotRow], labels: Labels) -> list[Line]:
    """The lines of the clients by their number: c2 before c10."""
    clients: dict[str, list[SlotRow]] = defaultdict(list)
    for slot in sorted(slots, key=lambda slot: (slot.number, slot.slot)):
        clients[slot.client].append(slot)
    looks = names_and_colours({client: rows[0].service for client, rows in clients.items()}, labels)
    return [Line(*looks[client], rows) for client, rows in clients.items()]


def _slots_per_point(slots: Iterable[SlotRow]) -> int:
    """1, or as many whole seconds as keep a line within MOST_POINTS."""
    count = max(row.slot for row in slots) + 1
    per_second = round(1 / SLOT_S)
    return 1 if count <= MOST_POINTS else per_second * -(-count // (MOST_POINTS * per_second))


def _points(lines: Iterable[Line], group: int) -> list[Datum]:
    """The means of each client, one point for `group` slots."""
    points: list[Datum] = []
    for line in lines:
        groups: dict[int, list[SlotRow]] = defaultdict(list)
        for slot in line.slots:
            groups[slot.slot // group].append(slot)
        points += [
            {
                "client": line.name,
                "time": round(place * group * SLOT_S, 1),
                "throughput": _mean(slot.throughput_mbps for slot in slots),
                "backlog": _mean(slot.backlog_packets_mean for slot in slots),
            }
            for place, slots in groups.items()
        ]
    return points


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of the known values, to a thousandth; None if there are none."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 3) if known else None


def _colours(lines: list[Line]) -> alt.Color:
    names = [line.name for line in lines]
    scale = alt.Scale(domain=names, range=[line.colour for line in lines])
    return alt.Color("client:N", title=None, legend=_legend(lines), sort=names, scale=scale)


def _dashes(lines: list[Line]) -> alt.StrokeDash:
    """Dashes beside colours: the first client's line is solid, the second's dashed."""
    names = [line.name for line in lines]
    scale = alt.Scale(domain=names, range=list(DASHES[: len(lines)]))
    return alt.StrokeDash("client:N", title=None, legend=_legend(lines), sort=names, scale=scale)


def _legend(lines: list[Line]) -> alt.Legend | UndefinedType:
    """The theme's legend has one row. Many clients need columns, as many as the chart has room for."""
    return alt.Legend(columns=LEGEND_COLUMNS) if len(lines) > LEGEND_COLUMNS else alt.Undefined


def _with_capacity(queue: alt.Chart, capacity: int | None) -> alt.Chart | alt.LayerChart:
    """The queue's chart with a line at the queue's capacity, where that is known."""
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


def _summary(lines: Iterable[Line]) -> str:
    """The chart's description of its clients."""
    return "; ".join(
        f"{line.name}: mean throughput {_mean(slot.throughput_mbps for slot in line.slots) or 0:.2f} Mbps, "
        f"queue of at most {max(slot.backlog_packets_max or 0 for slot in line.slots)} packets on arrival"
        for line in lines
    )
