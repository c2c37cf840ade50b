"""The data of the pages of trials: over time, their clients, rules and files; and of calibration trials.

Some trials have charts as files. The browser draws the others from their rows in trial_series.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.records import Number, read_record
from scripts.charts.table_rows import PairRow, ServiceRow, TrialRow, WindowRow, grouped
from scripts.charts.timeline import names_and_colours
from scripts.model.pairs import is_solo
from scripts.model.settings import Access
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR
from scripts.site import Row
from scripts.site.cycle.excluded_pages import RuleRow, judged_rules
from scripts.site.cycle.figure_pages import completions_of_trials
from scripts.site.cycle.inputs import Inputs
from scripts.site.cycle.link_words import access_words
from scripts.site.cycle.qoe_pages import qoe_in_trials
from scripts.site.times import utc
from scripts.tables.database import connect
from scripts.tables.table_schema import load_schema

RowRange = tuple[int, int]
"""The rows of a trial in a table: the number of the first, from 0, and how many."""


def row_ranges(table: Path) -> dict[TrialKey, RowRange]:
    """The rows of every trial in a table of trials, which has the trials one after the other.

    Raises:
        UserError: the rows of a trial are not together.
    """
    query = """
        select setting, pair, trial, min(file_row_number), max(file_row_number), count(*)
        from read_parquet($table, file_row_number = true)
        group by all
        order by all
    """
    with connect() as connection:
        values = connection.execute(query, {"table": str(table)}).fetchall()
    ranges = {TrialKey(*key): (first, last, rows) for *key, first, last, rows in values}
    for key, (first, last, rows) in ranges.items():
        if last - first + 1 != rows:
            raise UserError(f"{table}: the rows of {key.title} are not together; make the tables again")
    return {key: (first, rows) for key, (first, _last, rows) in ranges.items()}


def series_of_trials(inputs: Inputs) -> dict[TrialKey, Row]:
    """What the browser needs to draw a trial: its rows in trial_series, its clients, window and queue.

    A failed trial has no rows.
    """
    rows = sorted(inputs.records("trial_services", WindowRow), key=lambda row: row.place)
    clients = grouped(rows, lambda row: row.key)
    ranges = row_ranges(inputs.tables_dir / "trial_series.parquet")
    return {key: _series(of_trial, clients[key], inputs) for key, of_trial in ranges.items()}


def _series(rows: RowRange, clients: list[WindowRow], inputs: Inputs) -> Row:
    looks = names_and_colours({row.client: row.service for row in clients}, inputs.labels)
    return {
        "first": rows[0],
        "rows": rows[1],
        "queue": inputs.labels.queues.get(clients[0].setting),
        "start_s": clients[0].window_start_s,
        "stop_s": clients[0].window_stop_s,
        "clients": [
            {
                "client": row.client,
                "name": looks[row.client][0],
                "colour": looks[row.client][1],
                "throughput_mbps": row.throughput_mbps,
            }
            for row in clients
        ],
    }


Allocations = dict[tuple[str, str, str], float]
"""MmF allocations (Mbps) by setting, incumbent and contender."""


@dataclass(frozen=True)
class PublishedClient:
    """When a client started, and its path; null if the trial broke before."""

    client: str
    start_offset_s: Number | None
    rtt_ms: Number | None
    access: Access | None


@dataclass(frozen=True)
class PublishedTrial:
    """What the pages read from the trial.json of a published trial."""

    start_ns: int | None = None
    clients: tuple[PublishedClient, ...] = ()


CLIENT_COLUMNS = (
    *("client", "service", "cca", "throughput_mbps", "goodput_mbps", "wire_rate_mbps", "loss_rate"),
    *("arrived_packets", "forwarded_packets", "dropped_packets", "stack", "stack_version", "controller"),
    *(f"queueing_delay_{figure}_ms" for figure in ("mean", "p50", "p95", "p99")),
)
"""The columns of `trial_services` that a page shows of each client."""

MEASURED_BY = ("host", "kernel", "switch")
"""The columns of what measured a trial."""

COLUMNS = ("valid", "status", "reason", "utilization", "window_s", *MEASURED_BY)
"""The columns that a page shows of a whole trial."""


@dataclass(frozen=True)
class TrialPage:
    """The page of a trial: its data for Hugo, and separately its `clients` with their columns."""

    key: TrialKey
    valid: bool
    content: Row
    clients: list[dict[str, Any]]


def trial_pages(inputs: Inputs) -> list[TrialPage]:
    """Every trial: its clients, its quality of experience, its validity rules and its files.

    `previous` and `next` are the numbers of the trials before and after it in its cell.
    """
    rules, qoe, series = inputs.by_trial("validity"), qoe_in_trials(inputs), series_of_trials(inputs)
    allocations = {
        (row.setting, row.incumbent, row.contender): row.allocation_mbps
        for row in inputs.records("pairs", PairRow)
    }
    completions = completions_of_trials(inputs)
    pages = []
    for key, rows in sorted(inputs.by_trial("trial_services").items()):
        recorded = _published_trial(inputs, key)
        paths = {path.client: path for path in recorded.clients}
        records = [(inputs.record(row, "trial_services", ServiceRow), row) for row in rows]
        clients = [
            {name: row[name] for name in CLIENT_COLUMNS}
            # A client of QUIC has no TCP payload. Then 0 would be read as its speed.
            | {"goodput_mbps": row["goodput_mbps"] or None}
            | {"share": _share(client, allocations), "flows": completions.get((key, client.client))}
            | _path(paths.get(client.client))
            for client, row in sorted(records, key=lambda entry: entry[0].place)
        ]
        checks = judged_rules((inputs.record(row, "validity", RuleRow), row) for row in rules.get(key, []))
        content: Row = {
            "setting": key.setting,
            "pair": key.pair,
            "nn": key.nn,
            "solo": is_solo(key.pair),
            **{name: rows[0][name] for name in COLUMNS},
            "clients": clients,
            "rules": checks,
            "qoe": qoe.get(key, {}),
            "series": series.get(key),
            "chart": inputs.chart(f"trial-{key.name}"),
            "senders": inputs.chart(f"senders-{key.name}"),
            "bitrate": inputs.chart(f"bitrate-{key.name}"),
            **_published(inputs, key, recorded),
        }
        pages.append(TrialPage(key, records[0][0].valid, content, clients))
    for before, after in pairwise(pages):
        if (before.key.setting, before.key.pair) == (after.key.setting, after.key.pair):
            before.content["next"], after.content["previous"] = after.key.nn, before.key.nn
    return pages


def _published(inputs: Inputs, key: TrialKey, recorded: PublishedTrial) -> Row:
    """When a trial began, and the files to download."""
    files = sorted(inputs.files.get(key, []), key=lambda file: file.name)
    return {"start": utc(recorded.start_ns), "files": [asdict(file) for file in files]}


def _published_trial(inputs: Inputs, key: TrialKey) -> PublishedTrial:
    """trial.json; empty if the trial is not published."""
    path = inputs.source / "trials" / key.path / "trial.json"
    return read_record(PublishedTrial, path) if path.is_file() else PublishedTrial()


def _share(client: ServiceRow, allocations: Allocations) -> float | None:
    """The client's MmF share, a fraction; None if it has no allocation or no rate."""
    allocation = allocations.get((client.setting, client.service, client.contender))
    return client.wire_rate_mbps / allocation if allocation and client.wire_rate_mbps is not None else None


def _path(client: PublishedClient | None) -> Row:
    """When a client started, and its path; empty if the trial did not record it."""
    if client is None or client.rtt_ms is None:
        return {}
    return {
        "start_offset_s": client.start_offset_s,
        "rtt_ms": client.rtt_ms,
        "access": access_words(client.access) if client.access else None,
    }


IN_WORDS = ("setting", "round", "trial", "status", "verdict", "reason", "discipline", *MEASURED_BY)
"""Columns that a page shows outside its table of figures."""


def calibration_pages(inputs: Inputs) -> list[Row]:
    """Every calibration trial: its row of `calibration`, its figures with their meaning, its files."""
    columns = [column for column in load_schema("calibration").columns if column.name not in IN_WORDS]
    pages: list[Row] = []
    for row in inputs.tables["calibration"]:
        key = inputs.record(row | {"pair": PAIR}, "calibration", TrialRow).key
        figures = [
            {"name": column.name, "value": row[column.name], "unit": column.unit, "meaning": column.meaning}
            for column in columns
        ]
        of_page = {"pair": PAIR, "nn": key.nn, "figures": figures}
        pages.append(row | of_page | _published(inputs, key, _published_trial(inputs, key)))
    return pages
