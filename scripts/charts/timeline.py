"""One trial over time: the throughput of each client, and the queue (Prudentia Figs. 4 and 8).

The browser draws trials without such a file, and draws them alike, from the same points:
site/common/assets/js/timeline.js and points.js.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

import altair as alt

from scripts.charts.chart_labels import PARTIES, Labels, label_lines
from scripts.charts.table_rows import SlotRow, WindowRow, grouped
from scripts.charts.theme import LEGEND, MUTED, RULE, SUBTITLE_SIZE, Datum, chart_of, headed

WIDTH = 350
"""The width of a panel: with axis and margins, the text of the chart is legible on a telephone."""

TITLE = "Time since the start of the trial (s)"

HEIGHT, QUEUE_HEIGHT = 170, 110
VALUES_EXTENT = 44
DASHES = ([1, 0], [6, 2], [2, 2])
THROUGHPUT, QUEUE = "throughput_mbps", "backlog_packets_mean"
FEW = 3
"""The title of a trial with more clients has sums."""

SLOT_S = 0.1
MOST_MEANS, MOST_VALUES = 300, 400
PER_SECOND = 10

Slot = tuple[int, float | None]
"""The number of a slot, and its value; None if it is unknown."""

Point = tuple[float, float | None]
"""Seconds since the start of the trial, and a value."""

Thinned = Callable[[Sequence[Slot], int], list[Point]]

Window = tuple[float, float]
"""Start and stop of the steady window, in seconds since the start of the trial."""


@dataclass(frozen=True)
class Line:
    """A client: its name in the legend, its colour, its slots in order, and its throughput."""

    name: str
    colour: str
    slots: list[SlotRow]
    throughput_mbps: float | None


def timeline(slots: Sequence[SlotRow], clients: Sequence[WindowRow], labels: Labels) -> alt.VConcatChart:
    """Throughput of each client above the occupancy of the queue, over one time axis.

    Each has a faint line of every slot, and in front of it the means of whole seconds. All but the steady
    window is shaded.
    """
    trial, lines, window = slots[0].key, _lines(slots, clients, labels), clients[0].window
    end_s = end_of(slots)
    name, setting = f"{labels.pair(trial.pair)}, trial {trial.nn}", labels.setting(trial.setting)
    excluded = "" if clients[0].valid else "Excluded trial: "
    finding = f"{excluded}{_finding(lines, labels)}"
    capacity = labels.queues.get(trial.setting)
    panels = [
        _panel(lines, THROUGHPUT, "Throughput (Mbps)", end_s, window, None),
        _panel(lines, QUEUE, "Queue (packets)", end_s, window, capacity),
    ]
    holds = [f"Dotted: the queue holds {capacity} packets"] if capacity else []
    step = "0.1 s" if any(slot.slot % PER_SECOND for slot in slots) else "1 s"  # rows of a lean snapshot
    reading = (
        f"Strong: means over seconds; faint: over {step}. Queue: its length when packets of a client arrive"
    )
    subtitle = [f"Trial {trial.nn}, {setting}", *steady_words(window), reading, *holds]
    words = f"Throughput and queue over the whole trial. {_summary(lines)}"
    return alt.vconcat(*panels, spacing=14).properties(
        title=headed(finding, subtitle, WIDTH),
        description=f"{name}. {finding}. {setting}. {words}.",
    )


def end_of(slots: Iterable[SlotRow]) -> float:
    """The end of the last slot, in seconds since the start of the trial."""
    return (max(row.slot for row in slots) + 1) * SLOT_S


def names_and_colours(services: Mapping[str, str], labels: Labels) -> dict[str, tuple[str, str]]:
    """The name in the legend and the colour of every client.

    Args:
        services: the service of every client of a trial, in order of their places.
        labels: titles of the services.

    Returns:
        By client: its service's title, with the client's name where the trial has more than one client of the
        service; and the colour of its place.
    """
    used = list(services.values())
    looks = {}
    for place, (client, service) in enumerate(services.items()):
        title = labels.service(service)
        name = f"{title}, {client}" if used.count(service) > 1 else title
        looks[client] = name, PARTIES[place % len(PARTIES)]
    return looks


def _lines(slots: Iterable[SlotRow], clients: Sequence[WindowRow], labels: Labels) -> list[Line]:
    """The lines of the clients in order of their places."""
    in_order = sorted(slots, key=lambda slot: (slot.place, slot.slot))
    by_client = grouped(in_order, lambda slot: slot.client)
    looks = names_and_colours({client: rows[0].service for client, rows in by_client.items()}, labels)
    throughput = {row.client: row.throughput_mbps for row in clients}
    return [Line(*looks[client], rows, throughput.get(client)) for client, rows in by_client.items()]


def _finding(lines: list[Line], labels: Labels) -> str:
    """What the clients got in the steady window. Many clients of a service have their sum."""
    if len(lines) <= FEW:
        return ", ".join(f"{line.name} {_mbps([line])}" for line in lines)
    services = grouped(lines, lambda line: labels.service(line.slots[0].service))
    return ", ".join(
        f"{len(of_service)} × {service} {_mbps(of_service)} together"
        if len(of_service) > 1
        else f"{service} {_mbps(of_service)}"
        for service, of_service in services.items()
    )


def _mbps(lines: list[Line]) -> str:
    known = [line.throughput_mbps for line in lines if line.throughput_mbps is not None]
    return f"{sum(known):.2f} Mbps" if known else "unknown"


def _panel(
    lines: list[Line], column: str, title: str, end_s: float, window: Window | None, limit: int | None
) -> alt.LayerChart:
    """A column of every client: the shade, the faint lines, the strong lines, and a limit if there is one."""
    last = column == QUEUE
    time, y = time_axis(end_s, last), value_axis()
    colour, dash = client_channels([(line.name, line.colour) for line in lines])
    every, strong = (
        chart_of([point for line in lines for point in _points(line, column, end_s, thinned)]).encode(
            x=time, y=y, color=colour, detail="client:N"
        )
        for thinned in (extremes, means)
    )
    layers: list[alt.Chart | alt.LayerChart] = [
        *outside(end_s, window, time),
        every.mark_line(strokeWidth=1, opacity=0.35, aria=False),
        strong.mark_line(strokeWidth=2, aria=False).encode(strokeDash=dash),
    ]
    if limit is not None:
        layers.append(dotted([limit]))
    return panel_of(layers, title, QUEUE_HEIGHT if last else HEIGHT)


def client_channels(looks: Sequence[tuple[str, str]]) -> tuple[alt.Color, alt.StrokeDash]:
    """Colour and dash of the column `client`, with one legend; many names are in two columns of it.

    Args:
        looks: the name and the colour of every client, in order.
    """
    names = [name for name, _ in looks]
    columns = 1 if len(names) <= FEW else 2
    lines = label_lines(names, WIDTH / columns - 30)
    legend = alt.Legend(columns=columns, symbolOpacity=1, symbolSize=300, labelExpr=lines)
    colours = alt.Scale(domain=names, range=[colour for _, colour in looks])
    dashes = alt.Scale(domain=names, range=[DASHES[place % len(DASHES)] for place in range(len(looks))])
    return (
        alt.Color("client:N", title=None, legend=legend, sort=names, scale=colours),
        alt.StrokeDash("client:N", title=None, legend=legend, sort=names, scale=dashes),
    )


def value_axis() -> alt.Y:
    """The axis of the column `value`.

    Its least extent has room for four digits, so that two charts, one below the other, have one time axis.
    """
    return alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=5, minExtent=VALUES_EXTENT))


def dotted(limits: Iterable[float]) -> alt.Chart:
    """A dotted line over the whole panel at each of these values."""
    rules = chart_of([{"value": limit} for limit in limits])
    drawn: alt.Chart = rules.mark_rule(color=MUTED, strokeDash=[2, 3], aria=False).encode(y=value_axis())
    return drawn


def panel_of(layers: list[alt.Chart | alt.LayerChart], title: str, height: float) -> alt.LayerChart:
    """The layers as a panel below its title."""
    heading = alt.Title(title, fontSize=SUBTITLE_SIZE, fontWeight="normal", color=MUTED, offset=6)
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=height, title=heading)


def _points(line: Line, column: str, end_s: float, thinned: Thinned) -> list[Datum]:
    slots = [(slot.slot, getattr(slot, column)) for slot in line.slots]
    return [
        {"client": line.name, "time": time, "value": value}
        for time, value in thinned(slots, round(end_s / SLOT_S))
    ]


def _summary(lines: Iterable[Line]) -> str:
    """The chart's description of its clients."""
    return "; ".join(
        f"{line.name}: {_mbps([line])} in the steady window, "
        f"queue of at most {max(slot.backlog_packets_max or 0 for slot in line.slots)} packets on arrival"
        for line in lines
    )


def time_axis(end_s: float, last: bool) -> alt.X:
    """The axis of the column `time`. Only the last panel has numbers and a title."""
    scale = alt.Scale(domain=[0, end_s], nice=False)
    axis = alt.Axis(tickCount=7, format="d") if last else alt.Axis(tickCount=7, labels=False)
    return alt.X("time:Q", title=TITLE if last else None, scale=scale, axis=axis)


def outside(end_s: float, window: Window | None, time: alt.X) -> list[alt.LayerChart]:
    """The shade before and after the steady window; nothing if there is no window."""
    if window is None:
        return []
    return [alt.LayerChart(layer=[shade(end_s, window, time)]).properties(name=LEGEND)]


def shade(end_s: float, window: Window, time: alt.X) -> alt.Chart:
    """The same as a mark of a view that shows no data."""
    start, stop = (min(limit, end_s) for limit in window)
    parts = chart_of([{"time": 0, "until": start}, {"time": stop, "until": end_s}])
    marks: alt.Chart = parts.mark_rect(color=RULE, opacity=0.2, aria=False).encode(x=time, x2="until:Q")
    return marks


def steady_words(window: Window | None) -> list[str]:
    """What the shade means."""
    return [] if window is None else [f"Unshaded: the steady window, {window[0]:g}–{window[1]:g} s"]


def means(slots: Sequence[Slot], count: int) -> list[Point]:
    """The mean of the known values of each second; of a trial of more than 300 s, of several seconds.

    Args:
        slots: in order.
        count: the slots of the trial.
    """
    group = PER_SECOND * max(1, -(-count // (MOST_MEANS * PER_SECOND)))
    parts = _grouped(slots, group)  # the last one may be short
    return [(round((part[0][0] + part[-1][0] + 1) / 2 * SLOT_S, 2), _mean(part)) for part in parts]


def extremes(slots: Sequence[Slot], count: int) -> list[Point]:
    """Every value. Of more than 400 slots, the lowest and the highest value of each group, in order of time.

    The arguments are those of `means`.
    """
    group = 1 if count <= MOST_VALUES else -(-2 * count // MOST_VALUES)
    return [
        (round(slot * SLOT_S, 1), value)
        for group_slots in _grouped(slots, group)
        for slot, value in _ends(group_slots)
    ]


def _grouped(slots: Iterable[Slot], group: int) -> list[list[Slot]]:
    return [list(group_slots) for _, group_slots in groupby(slots, lambda slot: slot[0] // group)]


def _mean(slots: list[Slot]) -> float | None:
    known = [value for _, value in slots if value is not None]
    return round(fmean(known), 3) if known else None


def _ends(slots: list[Slot]) -> list[Slot]:
    """The slots with the lowest and the highest known value; the first one if no value is known."""
    known = sorted((value, slot) for slot, value in slots if value is not None)
    if not known:
        return slots[:1]
    ends = sorted({(slot, value) for value, slot in (known[0], known[-1])})
    return [(slot, round(value, 3)) for slot, value in ends]
