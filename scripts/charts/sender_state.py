"""The senders of one trial over time: what BBR estimates, and the congestion window of every client.

It has the time axis, the colours and the width of the chart of throughput and queue (timeline.py) above it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import SenderRow, WindowRow, grouped
from scripts.charts.theme import Datum, chart_of, headed
from scripts.charts.timeline import (
    FEW,
    WIDTH,
    Window,
    client_channels,
    dotted,
    names_and_colours,
    outside,
    panel_of,
    steady_words,
    time_axis,
    value_axis,
)

HEIGHT = 110
BANDWIDTH, RTT = "bbr_bandwidth_mbps", "bbr_min_rtt_ms"
WINDOW, THRESHOLD = "cwnd_packets", "ssthresh_packets"


@dataclass(frozen=True)
class Sender:
    """A client's service: its name in the legend, its colour, and its samples in order."""

    name: str
    colour: str
    samples: list[SenderRow]

    @property
    def is_bbr(self) -> bool:
        """Whether it has told an estimate of BBR."""
        return bool(values_of(self.samples, BANDWIDTH))


def sender_state(
    samples: Sequence[SenderRow], clients: Sequence[WindowRow], end_s: float, labels: Labels
) -> alt.VConcatChart:
    """BBR's estimates of bandwidth and RTT, and the congestion windows, over one time axis.

    Several connections of a service have one line: the sum of their bandwidths and windows, the median RTT.

    Args:
        samples: of one trial.
        clients: the clients of the trial, by their number.
        end_s: the end of the trial.
        labels: titles and colours.
    """
    trial, first = samples[0].key, clients[0]
    senders = _senders(samples, clients, labels)
    setting = labels.setting(trial.setting)
    finding = f"{'' if first.valid else 'Excluded trial: '}{_finding(senders, first.window, labels)}"
    name = f"Senders of {labels.pair(trial.pair)}, trial {trial.nn}"
    summary = "; ".join(f"{sender.name}: {_summary(sender)}" for sender in senders)
    return alt.vconcat(*_panels(senders, clients, end_s, first.window), spacing=14).properties(
        title=headed(finding, [f"Trial {trial.nn}, {setting}", *_readings(senders, first.window)], WIDTH),
        description=f"{name}. {finding}. {setting}. {summary}.",
    )


def values_of(samples: Iterable[SenderRow], column: str) -> list[float]:
    """The known values of a column."""
    return [value for sample in samples if (value := getattr(sample, column)) is not None]


def _senders(samples: Iterable[SenderRow], clients: Sequence[WindowRow], labels: Labels) -> list[Sender]:
    looks = names_and_colours({client.client: client.service for client in clients}, labels)
    in_order = sorted(samples, key=lambda sample: (sample.place, sample.at_s))
    by_client = grouped(in_order, lambda sample: sample.client)
    return [Sender(*looks[client], of_client) for client, of_client in by_client.items()]


def _panels(
    senders: list[Sender], clients: Sequence[WindowRow], end_s: float, window: Window | None
) -> list[alt.LayerChart]:
    """The congestion windows, below BBR's estimates if a client has any."""
    colour, dash = client_channels([(sender.name, sender.colour) for sender in senders])

    def panel(title: str, column: str, shown: list[Sender], limits: Sequence[float] = ()) -> alt.LayerChart:
        """A column over time, with a dotted line at each limit; below the windows is the time axis."""
        last = column == WINDOW
        time = time_axis(end_s, last)
        strong = chart_of(_points(shown, column)).mark_line(strokeWidth=2, aria=False)
        layers: list[alt.Chart | alt.LayerChart] = [
            *outside(end_s, window, time),
            strong.encode(x=time, y=value_axis(), color=colour, strokeDash=dash),
        ]
        if last:
            faint = chart_of(_points([sender for sender in senders if not sender.is_bbr], THRESHOLD))
            line = faint.mark_line(strokeWidth=1, opacity=0.5, aria=False)
            layers.append(line.encode(x=time, y=value_axis(), color=colour, detail="client:N"))
        return panel_of([*layers, *([dotted(limits)] if limits else [])], title, HEIGHT)

    windows = panel("Congestion window (packets)", WINDOW, senders)
    bbr = [sender for sender in senders if sender.is_bbr]
    if not bbr:
        return [windows]
    of_bbr = {sender.samples[0].client for sender in bbr}
    rtts = sorted({client.rtt_ms for client in clients if client.client in of_bbr})
    return [
        panel("BBR’s estimate of the bandwidth (Mbps)", BANDWIDTH, bbr, [clients[0].rate_mbps]),
        panel("BBR’s estimate of the RTT without queueing (ms)", RTT, bbr, rtts),
        windows,
    ]


def _points(senders: Iterable[Sender], column: str) -> list[Datum]:
    return [
        {"client": sender.name, "time": round(sample.time_s, 2), "value": getattr(sample, column)}
        for sender in senders
        for sample in sender.samples
    ]


def _readings(senders: list[Sender], window: Window | None) -> list[str]:
    """How to read the marks."""
    bbr = any(sender.is_bbr for sender in senders)
    others = not all(sender.is_bbr for sender in senders)
    several = any(sample.connections > 1 for sender in senders for sample in sender.samples)
    return [
        *steady_words(window),
        "Title: medians of the steady window",
        "Lines: one sample a second",
        *(["Dotted: rate of the link, RTT without queueing"] if bbr else []),
        *(["Faint: slow-start threshold"] if others else []),
        *(["Connections of a service: the sum, of the RTT the median"] if several else []),
    ]


def _finding(senders: list[Sender], window: Window | None, labels: Labels) -> str:
    """What BBR estimates in the steady window; the congestion windows where there is no BBR.

    Many clients of a service have their sum.
    """
    bbr = [sender for sender in senders if sender.is_bbr]
    groups = [[sender] for sender in bbr or senders]
    if len(senders) > FEW:
        groups = [*grouped(bbr or senders, lambda sender: sender.samples[0].service).values()]
    return ", ".join(_found(group, window, labels) for group in groups)


def _found(group: list[Sender], window: Window | None, labels: Labels) -> str:
    one = len(group) == 1
    who = group[0].name if one else f"{len(group)} × {labels.service(group[0].samples[0].service)}"
    together = "" if one else " together"
    if not group[0].is_bbr:
        packets = _number(_steady_sum(group, WINDOW, window), 0)
        return f"{who} {'has a window' if one else 'have windows'} of {packets} packets{together}"
    mbps = _number(_steady_sum(group, BANDWIDTH, window), 2)
    rtts = values_of(_steady(group, window), RTT)
    rtt = _number(median(rtts) if rtts else None, 0)
    return f"{who} {'estimates' if one else 'estimate'} {mbps} Mbps{together} and an RTT of {rtt} ms"


def _steady(group: list[Sender], window: Window | None) -> list[SenderRow]:
    """The samples of the steady window; all if there is no window."""
    samples = [sample for sender in group for sample in sender.samples]
    return [sample for sample in samples if window is None or window[0] <= sample.time_s < window[1]]


def _steady_sum(group: list[Sender], column: str, window: Window | None) -> float | None:
    """The median over the seconds of the sum over the senders; None if no value is known."""
    seconds = grouped(_steady(group, window), lambda sample: sample.at_s).values()
    sums = [sum(known) for samples in seconds if (known := values_of(samples, column))]
    return median(sums) if sums else None


def _number(value: float | None, decimals: int) -> str:
    return "unknown" if value is None else f"{value:,.{decimals}f}"


def _summary(sender: Sender) -> str:
    """The chart's description of one sender."""
    ranges = (
        ("bandwidth estimate between {} and {} Mbps", BANDWIDTH, 2),
        ("RTT estimate between {} and {} ms", RTT, 0),
        ("congestion window between {} and {} packets", WINDOW, 0),
    )
    return ", ".join(
        words.format(_number(min(known), decimals), _number(max(known), decimals))
        for words, column, decimals in ranges
        if (known := values_of(sender.samples, column))
    )
