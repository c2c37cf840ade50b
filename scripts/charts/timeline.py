"""One trial over time: the throughput of each client, and the queue (Prudentia Figs. 4 and 8).

The browser draws trials without such a file, and draws them alike: site/common/assets/js/timeline.js.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels, label_lines
from scripts.charts.series_points import SLOT_S, Point, Slot, extremes, means
from scripts.charts.table_rows import SlotRow, WindowRow
from scripts.charts.theme import MUTED, RULE, SUBTITLE_SIZE, Datum, chart_of, headed
from scripts.charts.time_axis import WIDTH, Window, outside, steady_words, time_axis

HEIGHT, QUEUE_HEIGHT = 170, 110
DASHES = ([1, 0], [6, 2], [2, 2])
THROUGHPUT, QUEUE = "throughput_mbps", "backlog_packets_mean"
FEW = 3
"""The title of a trial with more clients has sums."""

Thinned = Callable[[Sequence[Slot], int], list[Point]]


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

    Args:
        slots: the rows of `trial_series` of one trial.
        clients: its rows of `trial_services`.
        labels: titles and colours of the services.
    """
    trial, lines, window = slots[0].key, _lines(slots, clients, labels), clients[0].window
    end_s = (max(row.slot for row in slots) + 1) * SLOT_S
    name, setting = f"{labels.pair(trial.pair)}, trial {trial.nn}", labels.setting(trial.setting)
    excluded = "" if clients[0].valid else "Excluded trial: "
    finding = f"{excluded}{_finding(lines, labels)}"
    capacity = labels.queues.get(trial.setting)
    panels = [
        _panel(lines, THROUGHPUT, "Throughput (Mbps)", end_s, window, None),
        _panel(lines, QUEUE, "Queue (packets)", end_s, window, capacity),
    ]
    holds = [f"Dotted: the queue holds {capacity} packets"] if capacity else []
    reading = (
        "Strong: means over seconds; faint: over 0.1 s. Queue: its length when packets of a client arrive"
    )
    subtitle = [f"Trial {trial.nn}, {setting}", *steady_words(window), reading, *holds]
    words = f"Throughput and queue over the whole trial. {_summary(lines)}"
    return alt.vconcat(*panels, spacing=14).properties(
        title=headed(finding, subtitle, WIDTH),
        description=f"{name}. {finding}. {setting}. {words}.",
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


def _lines(slots: Iterable[SlotRow], clients: Sequence[WindowRow], labels: Labels) -> list[Line]:
    """The lines of the clients by their number: c2 before c10."""
    by_client: dict[str, list[SlotRow]] = defaultdict(list)
    for slot in sorted(slots, key=lambda slot: (slot.number, slot.slot)):
        by_client[slot.client].append(slot)
    looks = names_and_colours({client: rows[0].service for client, rows in by_client.items()}, labels)
    throughput = {row.client: row.throughput_mbps for row in clients}
    return [Line(*looks[client], rows, throughput.get(client)) for client, rows in by_client.items()]


def _finding(lines: list[Line], labels: Labels) -> str:
    """What the clients got in the steady window. Many clients of a service have their sum."""
    if len(lines) <= FEW:
        return ", ".join(f"{line.name} {_mbps([line])}" for line in lines)
    services: dict[str, list[Line]] = {}
    for line in lines:
        services.setdefault(labels.service(line.slots[0].service), []).append(line)
    return ", ".join(
        f"{len(found)} × {service} {_mbps(found)} together" if len(found) > 1 else f"{service} {_mbps(found)}"
        for service, found in services.items()
    )


def _mbps(lines: list[Line]) -> str:
    known = [line.throughput_mbps for line in lines if line.throughput_mbps is not None]
    return f"{sum(known):.2f} Mbps" if known else "unknown"


def _panel(
    lines: list[Line], column: str, title: str, end_s: float, window: Window | None, limit: int | None
) -> alt.LayerChart:
    """A column of every client: the shade, the faint lines, the strong lines, and a limit if there is one."""
    last, names = column == QUEUE, [line.name for line in lines]
    time, legend = time_axis(end_s, last), _legend(names)
    y = alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=5))
    colours = alt.Scale(domain=names, range=[line.colour for line in lines])
    dashes = alt.Scale(domain=names, range=[DASHES[place % len(DASHES)] for place in range(len(lines))])
    colour = alt.Color("client:N", title=None, legend=legend, sort=names, scale=colours)
    dash = alt.StrokeDash("client:N", title=None, legend=legend, sort=names, scale=dashes)
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
        rule = chart_of([{"value": limit}]).mark_rule(color=MUTED, strokeDash=[2, 3], aria=False)
        layers.append(rule.encode(y=y))
    heading = alt.Title(title, fontSize=SUBTITLE_SIZE, fontWeight="normal", color=MUTED, offset=6)
    return alt.LayerChart(layer=layers).properties(
        width=WIDTH, height=QUEUE_HEIGHT if last else HEIGHT, title=heading
    )


def _points(line: Line, column: str, end_s: float, thinned: Thinned) -> list[Datum]:
    slots = [(slot.slot, getattr(slot, column)) for slot in line.slots]
    return [
        {"client": line.name, "time": time, "value": value}
        for time, value in thinned(slots, round(end_s / SLOT_S))
    ]


def _legend(names: list[str]) -> alt.Legend:
    """A name a line; many names are in two columns."""
    columns = 1 if len(names) <= FEW else 2
    width = WIDTH / columns - 30
    return alt.Legend(columns=columns, symbolOpacity=1, symbolSize=300, labelExpr=label_lines(names, width))


def _summary(lines: Iterable[Line]) -> str:
    """The chart's description of its clients."""
    return "; ".join(
        f"{line.name}: {_mbps([line])} in the steady window, "
        f"queue of at most {max(slot.backlog_packets_max or 0 for slot in line.slots)} packets on arrival"
        for line in lines
    )
