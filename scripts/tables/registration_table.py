"""The table `registration`: when each expectation of a cycle was stated."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.model.campaign import Campaign
from scripts.model.expectations import Expectation
from scripts.plan.registration import read_registration
from scripts.plan.stated import Statement, settings_of, stated
from scripts.tables.database import checked

Starts = dict[tuple[str, str], set[tuple[int, int]]]
"""The trials of each setting and pair: number, and when it began in ns since the Unix epoch."""


def registration_table(campaign: Campaign, plan: Path, rows: Path) -> pa.Table:
    """The rows of scripts/tables/registration.yaml, in the campaign's order.

    Args:
        campaign: the merged configuration.
        plan: the folder plan/ of the cycle.
        rows: its trial_services.parquet.

    Raises:
        UserError: the registration is damaged.
    """
    written, lines, starts = read_json(plan / "config.json"), read_registration(plan), _starts(rows)
    registered = [
        _row(
            expectation,
            stated(lines, written, expectation),
            _starts_of(expectation, settings_of(written, expectation), starts),
        )
        for expectation in campaign.expectations
    ]
    return checked("registration", registered)


def _row(expectation: Expectation, statement: Statement | None, starts_ns: list[int]) -> dict[str, object]:
    row: dict[str, object] = {"expectation": expectation.name, "n_trials": len(starts_ns)}
    if statement is None:
        return row | {"stated": "unknown", "changed": "", "n_before": len(starts_ns)}
    since = statement.since
    before = sum(start_ns < since.time_ns for start_ns in starts_ns)
    # Nothing tells what stood before the first line.
    late = "after" if statement.changed else "unknown"
    return row | {
        "stated": late if before else "before",
        "line": since.line,
        "time": since.time,
        "changed": ",".join(statement.changed),
        "n_before": before,
    }


def _starts(rows: Path) -> Starts:
    starts: Starts = {}
    columns = ["setting", "pair", "trial", "trial_start_ns"]
    for setting, pair, trial, start_ns in zip(
        *pq.read_table(rows, columns=columns).to_pydict().values(), strict=True
    ):
        if start_ns is not None:
            starts.setdefault((setting, pair), set()).add((trial, start_ns))
    return starts


def _starts_of(expectation: Expectation, settings: list[str], starts: Starts) -> list[int]:
    """When the trials of an expectation's figures began: those of their pairs, in all of its settings."""
    pairs = {figure.pair for check in expectation.checks for figure in check.figures}
    cells = [(setting, pair) for setting in settings for pair in pairs]
    return [start_ns for cell in cells for _trial, start_ns in starts.get(cell, ())]
