"""The protocol at the paper's numbers and at small ones, on trials whose distributions are known."""

import shutil
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from scripts.tables.cycle import make_tables
from scripts.tables.table_list import every_table
from tests.simulated.campaign import configuration, run_cycle

STABLE, NOISY_20 = "iperf-bbr~iperf-bbr", "iperf-bbr~iperf-cubic"
NOISY_30, BROKEN = "iperf-cubic~iperf-cubic", "iperf-cubic~iperf-reno"
STARVED, BROKEN_SOLO = "iperf-bbr~iperf-reno", "iperf-reno"
SILENT, WITH_SILENT = "ref-file-batched-5-bbr", "iperf-bbr~ref-file-batched-5-bbr"
BEHAVIOURS = {
    STABLE: {"spread_mbps": 0.2},
    NOISY_20: {"outlier_every": 4},
    NOISY_30: {"outlier_every": 2},
    BROKEN: {"fails": True},
    STARVED: {"invalid": [3, 7, 11]},
    BROKEN_SOLO: {"invalid": [*range(1, 16)]},
    SILENT: {"fails": True},
    WITH_SILENT: {"outlier_every": 2, "invalid": [3, 7]},
}
SERVICES = ["iperf-bbr", "iperf-cubic", "iperf-reno", SILENT]
ABLE = [STABLE, NOISY_20, NOISY_30]
PAIRS = sorted([STABLE, NOISY_20, NOISY_30, BROKEN, STARVED, WITH_SILENT])
EXPECTED = {
    "iperf-bbr": [(10, 10, "closed", "enough")],
    "iperf-cubic": [(10, 10, "closed", "enough")],
    BROKEN_SOLO: [(0, 10, "open", "few"), (0, 15, "closed", "broken")],
    SILENT: [(0, 10, "closed", "set_aside")],
    STABLE: [(10, 10, "closed", "precise")],
    NOISY_20: [(10, 10, "open", "wide"), (20, 20, "closed", "precise")],
    NOISY_30: [(10, 10, "open", "wide"), (20, 20, "open", "wide"), (30, 30, "closed", "enough")],
    BROKEN: [(0, count, "open", "few") for count in (10, 20, 30, 40)] + [(0, 45, "closed", "broken")],
    STARVED: [(8, 10, "open", "few"), (9, 12, "open", "few"), (10, 13, "closed", "precise")],
    WITH_SILENT: [(8, 10, "closed", "set_aside")],
}


def plan_rows(cycle):
    """The table `plan` of a cycle, built from its trials."""
    make_tables(cycle, every_table())
    return pq.read_table(cycle / "tables/plan.parquet").to_pylist()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished cycle of pairs that are stable, noisy, starved now and then, and broken."""
    cycle = tmp_path_factory.mktemp("a cycle")
    run_cycle(configuration(SERVICES, PAIRS), BEHAVIOURS, cycle)
    return cycle


SMALL = {"solo": 2, "solo_attempts": 3, "round": 6, "most": 8, "attempts": 9}
SMALL_BEHAVIOURS = BEHAVIOURS | {BROKEN_SOLO: {"invalid": [1, 2, 3]}}
SMALL_EXPECTED = {
    "iperf-bbr": [(2, 2, "closed", "enough")],
    "iperf-cubic": [(2, 2, "closed", "enough")],
    BROKEN_SOLO: [(0, 2, "open", "few"), (0, 3, "closed", "broken")],
    STABLE: [(6, 6, "closed", "precise")],
    NOISY_30: [(6, 6, "open", "wide"), (8, 8, "closed", "enough")],
    BROKEN: [(0, 6, "open", "few"), (0, 9, "closed", "broken")],
}


def test_a_small_cycle_ends_with_pairs_that_are_precise_and_enough_and_broken(tmp_path):
    """The same as below with few trials: it stands for the paper's numbers in every run of the tests."""
    pairs = [STABLE, NOISY_30, BROKEN]
    run_cycle(configuration(SERVICES[:3], pairs, **SMALL), SMALL_BEHAVIOURS, tmp_path / "a cycle")
    found = {}
    for row in plan_rows(tmp_path / "a cycle"):
        found.setdefault(row["pair"], []).append(
            tuple(row[name] for name in ("valid", "attempts", "state", "reason"))
        )
    assert SMALL_EXPECTED == found


@pytest.fixture(scope="module")
def plan(finished):
    """The rows of its table `plan`."""
    return plan_rows(finished)


@pytest.mark.soak(minutes=1)
@pytest.mark.parametrize("pair", EXPECTED)
def test_pairs_continue_until_they_are_precise_or_enough_or_broken(finished, plan, pair):
    rows = [row for row in plan if row["pair"] == pair]
    assert EXPECTED[pair] == [
        tuple(row[name] for name in ("valid", "attempts", "state", "reason")) for row in rows
    ]
    assert list(range(1, len(rows) + 1)) == [row["round"] for row in rows]
    trials = {path.name for path in (finished / "trials/8mbps" / pair).iterdir()}
    assert {f"{number:02d}" for number in range(1, rows[-1]["attempts"] + 1)} == trials


@pytest.mark.soak(minutes=0.1)
def test_the_table_shows_the_half_width_beside_its_threshold(plan):
    rows = {(row["pair"], row["round"]): row for row in plan}
    assert {0.5} == {row["threshold_mbps"] for row in rows.values() if "~" in row["pair"]}
    assert {None} == {row["threshold_mbps"] for row in rows.values() if "~" not in row["pair"]}
    assert 0 < rows[STABLE, 1]["half_width_mbps"] <= 0.4
    assert 2 == pytest.approx(rows[NOISY_20, 1]["half_width_mbps"], abs=0.01), "the outliers"
    assert 0 == rows[NOISY_20, 2]["half_width_mbps"]
    assert rows[BROKEN, 5]["half_width_mbps"] is None


@pytest.mark.soak(minutes=0.1)
def test_the_tables_count_what_the_plan_says(finished, plan):
    counts = {row["pair"]: row["valid"] for row in plan}
    for row in pq.read_table(finished / "tables/pairs.parquet").to_pylist():
        assert counts[row["pair"]] == row["n"], row["pair"]


@pytest.mark.soak(minutes=1)
def test_a_cycle_completes_although_5_percent_of_all_trials_fail(tmp_path):
    """The names of the trials decide which ones fail, so each run of this test has the same failures."""
    behaviours = {name: {"spread_mbps": 0.2, "fails": 0.05} for name in ("iperf-bbr", "iperf-cubic", *ABLE)}
    run_cycle(configuration(["iperf-bbr", "iperf-cubic"], ABLE), behaviours, tmp_path / "a cycle")
    last = {row["pair"]: row for row in plan_rows(tmp_path / "a cycle")}
    assert {(pair, 10, "closed") for pair in behaviours} == {
        (row["pair"], row["valid"], row["state"]) for row in last.values()
    }
    assert sum(row["attempts"] for row in last.values()) > 50, "some failed and were rerun"
    assert {"enough", "precise"} == {row["reason"] for row in last.values()}


@pytest.mark.soak(minutes=0.1)
def test_a_finished_cycle_measures_nothing_more(finished):
    assert 0 == run_cycle(configuration(SERVICES, PAIRS), BEHAVIOURS, finished)


@pytest.fixture(scope="module")
def one_pair(tmp_path_factory):
    """A finished cycle of one pair of one service."""
    cycle = tmp_path_factory.mktemp("one pair")
    config = configuration(["iperf-bbr"], [STABLE], solo=1, round=6)
    assert 7 == run_cycle(config, BEHAVIOURS, cycle)
    return cycle


@pytest.fixture
def small(one_pair, tmp_path):
    """A copy of it, to continue with."""
    return shutil.copytree(one_pair, tmp_path / "a cycle")


def trials_of(cycle):
    """The existing trials, with inode and time of change, which a rewritten file would not keep."""
    files = [path for kind in ("trials", "plan/specs") for path in (cycle / kind).rglob("*.json")]
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def test_another_service_adds_only_its_trials(small):
    before = trials_of(small)
    config = configuration(["iperf-bbr", "iperf-cubic"], [STABLE, NOISY_30], solo=1, round=6, most=8)
    assert 1 + 8 == run_cycle(config, BEHAVIOURS, small)
    assert before.items() <= trials_of(small).items()
    added = {
        path.parent.parent.name for path in trials_of(small).keys() - before.keys() if "trials" in path.parts
    }
    assert {"iperf-cubic", NOISY_30} == added


def test_higher_numbers_add_only_the_missing_trials(small):
    before = trials_of(small)
    config = configuration(["iperf-bbr"], [STABLE], solo=3, round=8)
    assert 2 + 2 == run_cycle(config, BEHAVIOURS, small)
    assert before.items() <= trials_of(small).items()


def test_lower_numbers_drop_no_measured_trial(small):
    config = configuration(["iperf-bbr"], [STABLE], solo=1, round=4, most=4)
    assert 0 == run_cycle(config, BEHAVIOURS, small)
    (*_, last) = (row for row in plan_rows(small) if row["pair"] == STABLE)
    assert (6, 6, "closed") == (last["valid"], last["attempts"], last["state"])


def test_a_changed_threshold_judges_again_and_measures_only_the_missing_trials(small):
    """Every trial's host pressure is 0.01: below 0.001 none is valid, and all attempts are used up."""
    config = configuration(["iperf-bbr"], [STABLE], solo=1, solo_attempts=2, round=6, attempts=8)
    config = replace(config, validity=config.validity | {"cpu_pressure_fraction": 0.001})
    for path in small.glob("rows/*/*/*/*.parquet"):
        path.unlink()
    assert 1 + 2 == run_cycle(config, BEHAVIOURS, small)
