"""The drawings over time of every pair and service alone: its median trial, and all trials small.

The rates and the queue are from trial_series, the estimates of BBR from trial_senders.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from scripts.charts.chosen_trials import Chosen, chosen_trials
from scripts.charts.over_time import lines_of, trials_of
from scripts.charts.table_rows import (
    CellKey,
    FairnessRow,
    PairRow,
    ServiceRow,
    ShareBinRow,
    WindowRow,
    grouped,
)
from scripts.model.pairs import members
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.figure_pages import PairKey
from scripts.site.cycle.inputs import Inputs
from scripts.site.drawn.series import POINTS, Look, SeriesLine, Size, SmallSeries, drawn_series
from scripts.tables.database import connect

LOOKS: tuple[Look, ...] = ("a", "b", "c")
"""The looks of the services of a cell in their order. All further ones have the last."""

BIN_S = 0.5

QUERY = f"""
    with
    slots as (select * from read_parquet($series)),
    cells as (select setting, pair, max(time_s) + 0.1 as seconds from slots group by all)
    select
        setting,
        pair,
        trial,
        client,
        any_value(seconds) as seconds,
        floor(time_s / coalesce($width_s::double, seconds / {POINTS["sm"]})) as bin,
        avg(time_s) as time_s,
        avg(throughput_mbps) as throughput_mbps,
        avg(backlog_packets_mean) as backlog_packets
    from slots
    inner join cells using (setting, pair)
    where $only::varchar[] is null or list_contains($only, setting || '/' || pair || '/' || trial)
    group by all
    order by all
"""
"""The means over bins of $width_s, else over those of a small drawing. $only: the trials; null: all."""

ESTIMATES = """
    select setting, pair, trial, client, time_s, bbr_bandwidth_mbps, bbr_min_rtt_ms
    from read_parquet($senders)
    where list_contains($only, setting || '/' || pair || '/' || trial) and bbr_bandwidth_mbps is not null
    order by all
"""


@dataclass(frozen=True)
class Bin:
    """What a client got in a part of a trial. `seconds` is the length of the longest trial of its cell."""

    setting: str
    pair: str
    trial: int
    client: str
    seconds: float
    number: float
    time_s: float
    throughput_mbps: float
    backlog_packets: float | None

    @property
    def key(self) -> TrialKey:
        """Which trial it is of."""
        return TrialKey(self.setting, self.pair, self.trial)


@dataclass(frozen=True)
class BbrEstimate:
    """What BBR estimates in a second of a trial. The bandwidth is the sum over the connections."""

    setting: str
    pair: str
    trial: int
    client: str
    time_s: float
    bandwidth_mbps: float
    rtt_ms: float | None


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


@dataclass
class CellSeries:
    """What the page of a cell draws over time.

    `small` has a series of each trial that has slots, by its number. `median` is the trial whose share is the
    median: its number `nn`, the series `throughput` and `queue`, and for BBR `bandwidth` and `rtt`. If no
    trial is valid, it is the first completed one, and `counts` is false.
    """

    small: dict[str, Row]
    median: Row | None = None


SeriesOfCells = Mapping[PairKey, CellSeries]
"""The series of cells by setting and pair or solo."""


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


def look_of(pair: str, service: str, instance: str) -> Look:
    """The look of a service, or of its instance, in the drawings of a pair."""
    return next(
        party.look for party in parties(pair) if (party.service, party.instance) == (service, instance)
    )


def series_of_cells(inputs: Inputs) -> SeriesOfCells:
    """The series of every cell, by setting and pair or solo. A cell without a completed trial has none."""
    clients = grouped(inputs.records("trial_services", TrialClient), lambda row: row.key)
    chosen = _chosen(inputs)
    medians = [TrialKey(one.setting, one.pair, one.typical) for one in chosen]
    small = _bins(inputs, None, None)
    large = _bins(inputs, BIN_S, medians)
    estimates = _estimates(inputs, medians)
    found = {
        cell: CellSeries({key.nn: _throughput(small[key], clients[key], "sm") for key in trials})
        for cell, trials in grouped(small, lambda key: (key.setting, key.pair)).items()
    }
    for one, key in zip(chosen, medians, strict=True):
        if key in large:
            queue = inputs.labels.queues.get(key.setting)
            drawn = _median(large[key], clients[key], queue, estimates.get(key, []))
            drawn |= {"nn": key.nn, "counts": one.figure is not None}
            found[one.setting, one.pair].median = drawn
    return found


def _chosen(inputs: Inputs) -> list[Chosen]:
    return chosen_trials(
        inputs.records("trial_services", ServiceRow), inputs.records("trial_fairness", FairnessRow)
    )


def _bins(
    inputs: Inputs, width_s: float | None, only: Sequence[TrialKey] | None
) -> dict[TrialKey, list[Bin]]:
    names = None if only is None else _names(only)
    series = str(inputs.tables_dir / "trial_series.parquet")
    with connect() as connection:
        found = connection.execute(QUERY, {"series": series, "width_s": width_s, "only": names})
        return grouped((Bin(*row) for row in found.fetchall()), lambda row: row.key)


def _estimates(inputs: Inputs, only: Sequence[TrialKey]) -> dict[TrialKey, list[BbrEstimate]]:
    """The estimates of BBR in these trials. A cycle from before the table has none."""
    senders = inputs.tables_dir / "trial_senders.parquet"
    if not senders.is_file():
        return {}
    with connect() as connection:
        found = connection.execute(ESTIMATES, {"senders": str(senders), "only": _names(only)})
        rows = [BbrEstimate(*row) for row in found.fetchall()]
    return grouped(rows, lambda row: TrialKey(row.setting, row.pair, row.trial))


def _names(keys: Iterable[TrialKey]) -> list[str]:
    return [f"{key.setting}/{key.pair}/{key.number}" for key in keys]


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
    seconds, window = bins[0].seconds, clients[0].window
    drawn: Row = {
        "throughput": _throughput(bins, clients, ""),
        "queue": drawn_series(
            SmallSeries((SeriesLine("q", backlog),), seconds, top, words, None, window, "low")
        ),
    }
    return drawn | (_of_bbr(estimates, clients, seconds) if estimates else {})


def _of_bbr(estimates: list[BbrEstimate], clients: list[TrialClient], seconds: float) -> Row:
    """BBR's estimates of bandwidth and RTT, a line for each party."""
    rate, base, window, owner = clients[0].rate_mbps, clients[0].rtt_ms, clients[0].window, _owners(clients)
    bandwidth, rtt = [], []
    for party in parties(clients[0].pair):
        mine = [row for row in estimates if owner[row.client] == party]
        bandwidth.append(SeriesLine(party.look, [(row.time_s, row.bandwidth_mbps) for row in mine]))
        rtt.append(
            SeriesLine(party.look, [(row.time_s, row.rtt_ms) for row in mine if row.rtt_ms is not None])
        )
    highest = max((row.rtt_ms for row in estimates if row.rtt_ms is not None), default=base)
    words = "BBR’s estimate of the bandwidth, Mbps; dotted: the link"
    path = "BBR’s estimate of the RTT, ms; dotted: the path without its queue"
    top = _tens_above(1.1 * max(highest, base))
    return {
        "bandwidth": drawn_series(
            SmallSeries(tuple(bandwidth), seconds, 1.5 * rate, words, rate, window, "low")
        ),
        "rtt": drawn_series(SmallSeries(tuple(rtt), seconds, top, path, base, window, "low")),
    }


def _tens_above(value: float) -> float:
    """The next multiple of ten."""
    return 10 * math.ceil(value / 10)


def _throughput(bins: list[Bin], clients: list[TrialClient], size: Size) -> Row:
    """A line for each party: the sum of its clients. With two clients, half of the link is dotted."""
    owner, rate = _owners(clients), clients[0].rate_mbps
    lines = []
    for party in parties(clients[0].pair):
        mine = grouped((row for row in bins if owner[row.client] == party), lambda row: row.number)
        points = [(rows[0].time_s, sum(row.throughput_mbps for row in rows)) for rows in mine.values()]
        lines.append(SeriesLine(party.look, points))
    half = rate / 2 if len(clients) == 2 else None
    words = "throughput, Mbps" + ("; dotted: half of the link" if half else "")
    window = None if size == "sm" else clients[0].window
    return drawn_series(SmallSeries(tuple(lines), bins[0].seconds, rate, words, half, window, size))


def _owners(clients: Sequence[TrialClient]) -> dict[str, Party]:
    """The party of each client. Instances of a failed trial have no order, so that both are the first."""
    every = parties(clients[0].pair)
    return {
        row.client: next(
            (party for party in every if (party.service, party.instance) == (row.service, row.instance)),
            next(party for party in every if party.service == row.service),
        )
        for row in clients
    }


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
            look_of(row.pair, row.service, row.instance), [(one.middle_s, 100 * one.median) for one in line]
        )
        for line in lines.values()
        for row in line[:1]
    )
    seconds = max(row.stop_s for row in rows)
    top = max(MOST_SHARE, *(100 * math.ceil(row.median) for row in rows))
    series = SmallSeries(drawn, seconds, top, "share, %; dotted: fair", 100, first.window)
    shares = [{row.start_s: _parts(row, fair) for row in line} for line in lines.values()]
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


def _parts(row: ShareBinRow, fair: Mapping[CellKey, float]) -> Row:
    part = fair[row.setting, row.service, row.contender, row.instance]
    return {"share": row.median, "link": row.median * part}
