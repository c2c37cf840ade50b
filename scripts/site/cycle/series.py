"""The trials over time: charts that are files, and the rows of all others, which the browser draws."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import read_record
from scripts.charts.chosen_trials import CHOSEN, Chosen, ChosenTrials
from scripts.charts.table_rows import WindowRow
from scripts.charts.timeline import names_and_colours
from scripts.model.trials import TrialKey
from scripts.site.cycle.inputs import Inputs, Row
from scripts.tables.database import connect


@dataclass(frozen=True)
class RowRange:
    """The rows of a trial in a table: the number of the first, from 0, and how many."""

    first: int
    rows: int


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
    ranges = {}
    with connect() as connection:
        for setting, pair, trial, first, last, rows in connection.execute(
            query, {"table": str(table)}
        ).fetchall():
            key = TrialKey(setting, pair, trial)
            if last - first + 1 != rows:
                raise UserError(f"{table}: the rows of {key.title} are not together; make the tables again")
            ranges[key] = RowRange(first, rows)
    return ranges


def series_of_trials(inputs: Inputs) -> dict[TrialKey, Row]:
    """What the browser needs to draw a trial: its rows in trial_series, its clients, window and queue.

    A failed trial has no rows.
    """
    clients: dict[TrialKey, list[WindowRow]] = {}
    for row in sorted(inputs.records("trial_services", WindowRow), key=lambda row: (row.key, row.number)):
        clients.setdefault(row.key, []).append(row)
    return {
        key: _series(rows, clients[key], inputs)
        for key, rows in row_ranges(inputs.tables_dir / "trial_series.parquet").items()
    }


def _series(rows: RowRange, clients: list[WindowRow], inputs: Inputs) -> Row:
    looks = names_and_colours({row.client: row.service for row in clients}, inputs.labels)
    return {
        "first": rows.first,
        "rows": rows.rows,
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


def chosen_charts(inputs: Inputs) -> dict[tuple[str, str], list[Row]]:
    """The charts of the typical and the worst trial, by setting and pair or solo."""
    path = inputs.charts_dir / "trials" / CHOSEN
    cells = read_record(ChosenTrials, path).cells if path.is_file() else ()
    return {
        (cell.setting, cell.pair): [_chosen(inputs, cell, key) for key in _in_order(cell)] for cell in cells
    }


def _in_order(cell: Chosen) -> list[TrialKey]:
    """The typical trial first."""
    return sorted(cell.keys, key=lambda key: key.number != cell.typical)


def _chosen(inputs: Inputs, cell: Chosen, key: TrialKey) -> Row:
    return {
        "nn": key.nn,
        "typical": key.number == cell.typical,
        "worst": key.number == cell.worst,
        "figure": cell.figure,
        "chart": inputs.chart(f"trial-{key.name}"),
        "bitrate": inputs.chart(f"bitrate-{key.name}"),
    }
