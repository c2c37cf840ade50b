"""When expectations were stated: the table, from a registration and the starts of trials."""

from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.model.expectations import Check, Expectation, FigureKey
from scripts.plan.registration import register
from scripts.tables.registration_table import registration_table
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import REFERENCE, write_campaign

FIGURE = FigureKey(setting="8mbps", service="iperf-bbr", contender="iperf-cubic", metric="share")
EXPECTED = Expectation("bbr-wins", "BBR wins.", "a paper", (Check(FIGURE, above=1.1),))
ALONE = replace(FIGURE, contender="", metric="throughput_mbps")
LATER = Expectation("bbr-fills", "BBR fills the link.", "a paper", (Check(ALONE, above=7),))
PLANNED = replace(REFERENCE, expectations=(EXPECTED,))
MORE = replace(PLANNED, expectations=(EXPECTED, LATER))
LOOSE = replace(PLANNED, validity=PLANNED.validity | {"longest_stall_rtt": 1.0})


def at(hour: int) -> datetime:
    return datetime(2026, 11, 26, hour, tzinfo=UTC)


def started(pair: str, trial: int, hour: int | None):
    """The rows of a trial that began in this hour; None: it failed before."""
    start_ns = None if hour is None else int(at(hour).timestamp()) * 10**9
    row = {"setting": "8mbps", "pair": pair, "trial": trial, "trial_start_ns": start_ns}
    return [row | {"client": f"c{place}"} for place in range(1, pair.count("~") + 2)]


BOTH = [started("iperf-bbr~iperf-cubic", 1, 6), started("iperf-bbr~iperf-cubic", 2, 8)]
SOLO = [started("iperf-bbr", 1, 8), started("iperf-bbr", 2, None)]


@pytest.fixture
def rows(tmp_path):
    """Makes the table from registered campaigns, each with its hour, and trials."""

    def make(registered, trials):
        plan = tmp_path / "plan"
        plan.mkdir(exist_ok=True)
        for hour, campaign in registered:
            write_campaign(plan / "config.json", campaign)
            register(plan, at(hour))
        path = tmp_path / "trial_services.parquet"
        content = [row for trial in trials for row in trial]
        pq.write_table(pa.Table.from_pylist(content, schema=load_schema("trial_services").arrow), path)
        found = registration_table(registered[-1][1], plan, path).to_pylist()
        return {row["expectation"]: tuple(row.values())[1:] for row in found}

    return make


def test_what_was_stated_before_the_first_trial_says_so_with_the_time(rows):
    found = rows([(5, PLANNED)], BOTH)
    assert {"bbr-wins": ("before", 1, "2026-11-26T05:00:00Z", "", 2, 0)} == found


@pytest.mark.parametrize(
    ("campaign", "changed"),
    [
        (LOOSE, "validity.longest_stall_rtt"),
        (replace(PLANNED, trials=replace(PLANNED.trials, most=30)), "trials.most"),
        (replace(PLANNED, expectations=(replace(EXPECTED, says="BBR rules."),)), "expectation"),
    ],
)
def test_a_change_after_one_of_its_trials_is_after_measurement(campaign, changed, rows):
    found = rows([(5, PLANNED), (7, campaign)], BOTH)
    assert {"bbr-wins": ("after", 2, "2026-11-26T07:00:00Z", changed, 2, 1)} == found


def test_an_expectation_that_is_added_is_after_measurement_only_if_its_own_trials_are_older(rows):
    """At seven o'clock only a trial of the pair was measured, none of the service alone."""
    found = rows([(5, PLANNED), (7, MORE)], [*BOTH, *SOLO])
    assert ("before", 1, "2026-11-26T05:00:00Z", "", 2, 0) == found["bbr-wins"]
    assert ("before", 2, "2026-11-26T07:00:00Z", "expectation", 1, 0) == found["bbr-fills"]


def test_an_expectation_that_is_added_after_its_own_trials_is_after_measurement(rows):
    found = rows([(5, PLANNED), (9, MORE)], [*BOTH, *SOLO])
    assert ["before", "after"] == [row[0] for row in found.values()]
    assert ("after", 2, "2026-11-26T09:00:00Z", "expectation", 1, 1) == found["bbr-fills"]


def test_trials_from_before_the_first_line_leave_it_open(rows):
    assert {"bbr-wins": ("unknown", 1, "2026-11-26T07:00:00Z", "", 2, 1)} == rows([(7, PLANNED)], BOTH)


def test_without_a_registration_nothing_shows_it(rows, tmp_path):
    rows([(5, PLANNED)], BOTH)
    for path in (tmp_path / "plan").glob("registration*"):
        path.unlink()
    table = registration_table(PLANNED, tmp_path / "plan", tmp_path / "trial_services.parquet")
    assert [("bbr-wins", "unknown", None, None, "", 2, 2)] == [
        tuple(row.values()) for row in table.to_pylist()
    ]
