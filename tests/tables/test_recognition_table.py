"""The table recognition: what every service of a cycle is taken for, and whether that changed."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT
from scripts.model.campaign import read_campaign
from scripts.model.comparison import BEFORE_RECOGNITION, LABELS
from scripts.plan.campaign_file import load_campaign
from scripts.recognition.__main__ import build
from scripts.recognition.answers import LIMIT_QUANTILE, MARGIN
from scripts.recognition.families import FAMILIES, UNKNOWN
from scripts.recognition.library import read_library
from scripts.recognition.traces import LinkKey
from scripts.tables.cycle import keep_compared, make_tables, tables_of
from scripts.tables.recognition_table import keep_labels
from scripts.tables.table_schema import load_schema
from tests.recognition.hand_cycle import SETTING, hand_series, kernel_trials, trial, write_cycle
from tests.recognition.hand_traces import LINK, series_of

DAYS = ("2026-01-01", "2026-01-02")
COLUMNS = {column.name: column for column in load_schema("recognition").columns}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library of two days, and its path."""
    folder = tmp_path_factory.mktemp("library")
    for number, day in enumerate(DAYS):
        write_cycle(folder / "data", day, kernel_trials(number))
    build(folder / "data", folder)
    return folder / "recognition.parquet"


def rows_of(data, day, library, *trials):
    """The rows of a cycle with these trials."""
    cycle = write_cycle(data, day, trials)
    keep_compared(cycle, library)
    make_tables(cycle, {"recognition"})
    return {row["service"]: row for row in pq.read_table(cycle / "tables/recognition.parquet").to_pylist()}


def kernel(service, like=None, numbers=(1, 2, 3)):
    return [trial(service, number, hand_series(like or service, 500 + number)) for number in numbers]


def test_every_service_alone_has_a_family_and_what_it_is_known_to_run(library, tmp_path):
    trials = [*kernel("iperf-cubic"), *kernel("iperf-reno")]
    rows = rows_of(tmp_path, "2026-02-01", library, *trials)
    assert {"iperf-cubic": "Cubic-like", "iperf-reno": "Reno-like"} == {
        name: row["family"] for name, row in rows.items()
    }
    row = rows["iperf-cubic"]
    assert (SETTING, 3, 3, "Cubic-like", None) == tuple(
        row[name] for name in ("setting", "n", "named", "known", "reason")
    )
    assert row["distance"] <= row["limit"]
    assert row["margin"] >= MARGIN
    assert 3 == len(row["nearest"].split())
    assert read_library(library).version == row["library"]
    assert (None, None, None) == (row["before"], row["before_library"], row["changed"])


def test_a_service_may_run_something_else_than_it_is_said_to(library, tmp_path):
    rows = rows_of(tmp_path, "2026-02-01", library, *kernel("iperf-cubic", like="iperf-bbr"))
    assert ("BBRv1-like", "Cubic-like") == (rows["iperf-cubic"]["family"], rows["iperf-cubic"]["known"])


def test_another_family_than_in_the_previous_cycle_is_a_change(library, tmp_path):
    rows_of(tmp_path, "2026-02-01", library, *kernel("iperf-cubic"), *kernel("iperf-reno"))
    trials = [*kernel("iperf-cubic", like="iperf-bbr"), *kernel("iperf-reno")]
    rows = rows_of(tmp_path, "2026-02-15", library, *trials)
    assert ("Cubic-like", "BBRv1-like", True) == tuple(
        rows["iperf-cubic"][name] for name in ("before", "family", "changed")
    )
    assert ("Reno-like", False) == (rows["iperf-reno"]["before"], rows["iperf-reno"]["changed"])
    assert read_library(library).version == rows["iperf-reno"]["before_library"]


def test_what_is_unknown_in_one_of_the_two_is_no_change(library, tmp_path):
    odd = series_of(np.full(700, LINK.bdp_packets * 2.1))
    rows_of(tmp_path, "2026-02-01", library, *kernel("iperf-cubic"))
    rows = rows_of(tmp_path, "2026-02-15", library, trial("iperf-cubic", 1, odd))
    assert ("Cubic-like", UNKNOWN, None) == tuple(
        rows["iperf-cubic"][name] for name in ("before", "family", "changed")
    )


def test_a_rebuild_gives_the_same_after_the_library_has_grown(library, tmp_path):
    rows_of(tmp_path, "2026-02-01", library, *kernel("iperf-cubic"))
    cycle = tmp_path / "recognition/2026-02-01"
    first = (cycle / "tables/recognition.parquet").read_bytes()
    make_tables(cycle, {"recognition"})
    assert first == (cycle / "tables/recognition.parquet").read_bytes()


def test_without_labelled_traces_a_cycle_has_no_such_table(library, tmp_path):
    rows_of(tmp_path, "2026-02-01", library, *kernel("iperf-cubic"))
    cycle = write_cycle(tmp_path, "2026-02-15", kernel("iperf-cubic"))
    keep_compared(cycle, library)
    assert "recognition" in tables_of(cycle)
    assert (cycle / BEFORE_RECOGNITION).is_file()
    keep_compared(cycle, tmp_path / "none.parquet")
    make_tables(cycle, {"recognition"})
    assert not (cycle / "tables/recognition.parquet").exists()
    assert "recognition" not in tables_of(cycle)


def test_a_cycle_without_labelled_traces_does_not_load_what_compares_them():
    program = "import sys, scripts.tables.cycle; print('dtaidistance' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "False\n" == done.stdout


@pytest.mark.parametrize(
    ("campaign", "links"), [("recognition", {LINK}), ("demo", set()), ("smoke", set()), ("watchdog", {LINK})]
)
def test_only_links_with_trials_of_a_minute_keep_labelled_traces(campaign, links, library, tmp_path):
    keep_labels(load_campaign(campaign), tmp_path / "labels.parquet", library)
    assert links == read_library(tmp_path / "labels.parquet").links


def test_a_campaign_without_services_alone_keeps_none(library, tmp_path):
    pairs = load_campaign("watchdog")
    pairs = replace(pairs, trials=replace(pairs.trials, solo=0))
    keep_labels(pairs, tmp_path / "labels.parquet", library)
    assert not (tmp_path / "labels.parquet").exists()


def test_the_kept_traces_are_those_of_the_links_of_the_cycle(library, tmp_path):
    cycle = write_cycle(tmp_path, "2026-02-01", kernel("iperf-cubic"))
    keep_compared(cycle, library)
    kept = read_library(cycle / LABELS)
    settings = read_campaign(cycle / "plan/config.json").settings
    assert {LINK} == kept.links <= {LinkKey.of(setting) for setting in settings.values()}


def test_the_schema_has_the_families_and_the_numbers_of_the_code():
    assert (*FAMILIES, UNKNOWN) == COLUMNS["family"].values == COLUMNS["before"].values
    for name in ("known", "nearest_family", "second"):
        assert (*FAMILIES,) == COLUMNS[name].values
    assert f"named from {MARGIN} on" in COLUMNS["margin"].meaning
    assert f"the {round(100 * LIMIT_QUANTILE)}th percentile" in COLUMNS["limit"].meaning
