"""The drawings over time of every pair and service alone: its median trial, and all trials small.

The rates and the queue are from trial_series, the estimates of BBR from trial_senders.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TypeVar

from scripts.charts.chosen_trials import chosen_trials
from scripts.charts.over_time import lines_of, trials_of
from scripts.charts.table_rows import (
    CellKey,
    FairnessRow,
    PairRow,
    ServiceRow,
    ShareBinRow,
    TrialRow,
    WindowRow,
    grouped,
)
from scripts.model.pairs import members
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs, PairKey
from scripts.site.drawn.series import POINTS, Look, Point, SeriesLine, Size, SmallSeries, drawn_series
from scripts.tables.database import connect

LOOKS: tuple[Look, ...] = ("a", "b", "c")
"""The looks of the services of a cell in their order. All further ones have the last."""

BIN_S = 0.5

QUERY = f"""
    with
    slots as (select * from read_parquet($table)),
    cells as (select setting, pair, max(time_s) + 0.1 as seconds from slots group by all)
    select
        setting,
        pair,
        trial,
        client,
        any_value(seconds) as seconds,
        floor(time_s / if($only is null, seconds / {POINTS["sm"]}, {BIN_S})) as bin,
        avg(time_s) as time_s,
        avg(throughput_mbps) as throughput_mbps,
        avg(backlog_packets_mean) as backlog_packets
    from slots
    inner join cells using (setting, pair)
    where $only::varchar[] is null or list_contains($only, setting || '/' || pair || '/' || trial)
    group by all
    order by all
"""
"""The means over bins of BIN_S in the trials $only; if that is null, over those of small drawings in all."""

ESTIMATES = """
    select setting, pair, trial, client, time_s, bbr_bandwidth_mbps, bbr_min_rtt_ms
    from read_parquet($table)
    where list_contains($only, setting || '/' || pair || '/' || trial) and bbr_bandwidth_mbps is not null
    order by all
"""


@dataclass(frozen=True)
class Bin(TrialRow):
    """What a client got in a part of a trial. `seconds` is the length of the longest trial of its cell."""

    client: str
    seconds: float
    number: float
    time_s: float
    throughput_mbps: float
    backlog_packets: float | None


@dataclass(frozen=True)
class BbrEstimate(TrialRow):
    """What BBR estimates in a second of a trial. The bandwidth is the sum over the connections."""

    client: str
    time_s: float
    bandwidth_mbps: float
    rtt_ms: float | None


Sampled = TypeVar("Sampled", Bin, BbrEstimate)


@dataclass(frozen=True)
class TrialClient(WindowRow):
    """A row of trial_services: a client with its instance in a pair of a service with itself."""

    instance: str


@dataclass(frozen=True)
class Party:
    """A service of a cell, or one of two instances of a service, and the look of its line."""

    service: str
    instance: str
    look: Look


@dataclass(frozen=True)
class Series:
    """What the pages of cells draw over time.

    Attributes:
        small: a series of each trial that has slots.
        medians: the trial of each cell whose share is the median: its number `nn`, the series `throughput`
            and `queue`, and for BBR `bandwidth` and `rtt`. If no trial is valid, it is the first completed
            one, and `counts` is false. A cell without a completed trial has none.
    """

    small: Mapping[TrialKey, Row]
    medians: Mapping[PairKey, Row]


def parties(pair: str) -> list[Party]:
    """Who takes part in the trials of a pair or solo: each service once; of a self-pair, both instances."""
    services = members(pair)
    named = [(service, "first") for service in dict.fromkeys(services)]
    if len(services) == 2 and len(named) == 1:
        named = [(services[0], "worse_off"), (services[0], "better_off")]
    return [
        Party(service, instance, LOOKS[min(place, len(LOOKS) - 1)])
        for place, (service, instance) in enumerate(named)
    ]


def party_of(pair: str, service: str, instance: str) -> Party:
    """The party of a service or its instance. Those of a failed trial have no order: both are the first."""
    mine = [party for party in parties(pair) if party.service == service]
    return next((party for party in mine if party.instance == instance), mine[0])


def series_of_cells(inputs: Inputs) -> Series:
    """The series of all trials and of the median ones."""
    clients = grouped(inputs.records("trial_services", TrialClient), lambda row: row.key)
    chosen = chosen_trials(
        inputs.records("trial_services", ServiceRow), inputs.records("trial_fairness", FairnessRow)
    )
    medians = {TrialKey(choice.setting, choice.pair, choice.typical): choice for choice in chosen}
    large = _read(inputs, "trial_series", QUERY, Bin, medians)
    estimates = _read(inputs, "trial_senders", ESTIMATES, BbrEstimate, medians)
    small = _read(inputs, "trial_series", QUERY, Bin)
    return Series(
        {key: _throughput(bins, clients[key], "sm") for key, bins in small.items()},
        {
            (key.setting, key.pair): {"nn": key.nn, "counts": medians[key].figure is not None}
            | _median(bins, clients[key], inputs.labels.queues.get(key.setting), estimates.get(key, []))
            for key, bins in large.items()
        },
    )


def _read(
    inputs: Inputs, table: str, query: str, kind: type[Sampled], only: Iterable[TrialKey] | None = None
) -> dict[TrialKey, list[Sampled]]:
    """The rows that a query selects from a table. Cycles older than the table have none."""
    path = inputs.tables_dir / f"{table}.parquet"
    if not path.is_file():
        return {}
    names = None if only is None else [f"{key.setting}/{key.pair}/{key.number}" for key in only]
    with connect() as connection:
        result = connection.execute(query, {"table": str(path), "only": names})
        return grouped((kind(*row) for row in result.fetchall()), lambda row: row.key)


def _lines(
    rows: Iterable[Sampled], clients: Iterable[TrialClient], points: Callable[[list[Sampled]], list[Point]]
) -> tuple[SeriesLine, ...]:
    """A line for each party: the points of the rows of its clients."""
    owner = {client.client: party_of(client.pair, client.service, client.instance) for client in clients}
    mine = grouped(rows, lambda row: owner[row.client])
    return tuple(
        SeriesLine(party.look, points(mine.get(party, []))) for party in parties(next(iter(clients)).pair)
    )


def _median(
    bins: list[Bin], clients: list[TrialClient], queue_packets: int | None, estimates: list[BbrEstimate]
) -> Row:
    """The drawings of one trial, large: throughput, queue, and what BBR estimates."""
    backlog = [
        (rows[0].time_s, fmean(known))
        for rows in grouped(bins, lambda row: row.number).values()
        if (known := [row.backlog_packets for row in rows if row.backlog_packets is not None])
    ]
    top = queue_packets or max((value for _time, value in backlog), default=0) or 1
    words = "packets in the queue" + (f", of {queue_packets}" if queue_packets else "")
    lines = (SeriesLine("q", backlog),)
    queue = SmallSeries(lines, bins[0].seconds, top, words, window=clients[0].window, size="low")
    drawn: Row = {"throughput": _throughput(bins, clients, ""), "queue": drawn_series(queue)}
    return drawn | (_of_bbr(estimates, clients, queue) if estimates else {})


def _of_bbr(estimates: list[BbrEstimate], clients: list[TrialClient], queue: SmallSeries) -> Row:
    """BBR's estimates of bandwidth and RTT, each a line for each party over the time of the queue."""
    rate, base = clients[0].rate_mbps, clients[0].rtt_ms
    bandwidth = replace(
        queue,
        lines=_lines(estimates, clients, lambda rows: [(row.time_s, row.bandwidth_mbps) for row in rows]),
        top=1.5 * rate,
        words="BBR’s estimate of the bandwidth, Mbps; dotted: the link",
        fair=rate,
    )
    known = [row for row in estimates if row.rtt_ms is not None]
    rtt = replace(
        queue,
        lines=_lines(known, clients, lambda rows: [(row.time_s, row.rtt_ms or 0) for row in rows]),
        top=10 * math.ceil(1.1 * max([base, *(row.rtt_ms or 0 for row in known)]) / 10),
        words="BBR’s estimate of the RTT, ms; dotted: the path without its queue",
        fair=base,
    )
    return {"bandwidth": drawn_series(bandwidth), "rtt": drawn_series(rtt)}


def _throughput(bins: list[Bin], clients: list[TrialClient], size: Size) -> Row:
    """A line for each party: the sum of its clients. With two clients, half of the link is dotted."""

    def sums(rows: list[Bin]) -> list[Point]:
        parts = grouped(rows, lambda row: row.number).values()
        return [(part[0].time_s, sum(row.throughput_mbps for row in part)) for part in parts]

    rate = clients[0].rate_mbps
    half = rate / 2 if len(clients) == 2 else None
    words = "throughput, Mbps" + ("; dotted: half of the link" if half else "")
    window = None if size == "sm" else clients[0].window
    lines = _lines(bins, clients, sums)
    return drawn_series(SmallSeries(lines, bins[0].seconds, rate, words, half, window, size))


MOST_SHARE = 200
"""The end of the axis of shares, percent, as everywhere. One flow beside many may take more."""


def shares_over_time(inputs: Inputs) -> dict[PairKey, Row]:
    """What the page of a pair shows, by setting and pair. A cycle from before the table has none.

    `series` draws the medians over `n` trials in bins of `width_s`. `chart` has the quartiles, too.
    `bins` has the medians of the services or instances in `names`, as parts of their fair share and of the
    link. One of them is null where no trial lasts to the end of the bin.
    """
    fair = {
        row.key: row.allocation_mbps / inputs.campaign.settings[row.setting].rate_mbps
        for row in inputs.records("pairs", PairRow)
    }
    bins = grouped(inputs.records("share_over_time", ShareBinRow), lambda row: (row.setting, row.pair))
    return {key: _page(inputs, rows, fair) for key, rows in bins.items()}


def _page(inputs: Inputs, rows: list[ShareBinRow], fair: Mapping[CellKey, float]) -> Row:
    first, lines = rows[0], lines_of(rows, inputs.labels)
    drawn = tuple(
        SeriesLine(
            party_of(row.pair, row.service, row.instance).look,
            [(row.middle_s, 100 * row.median) for row in line],
        )
        for line in lines.values()
        for row in line[:1]
    )
    seconds = max(row.stop_s for row in rows)
    top = max(MOST_SHARE, *(100 * math.ceil(row.median) for row in rows))
    series = SmallSeries(drawn, seconds, top, "share, %; dotted: fair", 100, first.window)
    link = {row: row.median * fair[row.setting, row.service, row.contender, row.instance] for row in rows}
    shares = [
        {row.start_s: {"share": row.median, "link": link[row]} for row in line} for line in lines.values()
    ]
    ends = sorted({(row.start_s, row.stop_s) for row in rows})
    return {
        "chart": inputs.chart(f"over-time-{first.setting}-{first.pair}"),
        "width_s": first.width_s,
        "n": trials_of(rows),
        "series": drawn_series(series),
        "names": list(lines),
        "bins": [
            {"start_s": start, "stop_s": stop, "shares": [of_line.get(start) for of_line in shares]}
            for start, stop in ends
        ],
    }
