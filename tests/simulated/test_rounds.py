"""Snakemake plans a cycle round by round, until every pair is closed."""

import pytest

from tests.simulated.project import OTHER, PAIR, SERVICES, Simulated

SMALL = {"solo": 0, "solo_attempts": 0, "round": 6, "most": 8, "attempts": 12}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished cycle of two pairs."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    copy.configure(SERVICES, [PAIR, OTHER], SMALL)
    copy.finish("data")
    return copy


def test_every_round_begins_with_one_calibration(finished):
    assert finished.one_calibration_a_round("data") == finished.calibrations("data")


def test_rounds_rerun_what_is_invalid_and_go_on_while_the_interval_is_wide(finished):
    assert "plan/round-04.csv" in finished.tables("data")
    table = finished.tables("data")["tables/plan.csv"].decode().splitlines()[1:]
    assert [
        (f'"{PAIR}"', "1", "5", "6", '"open"', '"few"'),
        (f'"{PAIR}"', "2", "6", "7", '"open"', '"wide"'),
        (f'"{PAIR}"', "3", "8", "9", '"closed"', '"enough"'),
        (f'"{OTHER}"', "1", "6", "6", '"closed"', '"precise"'),
    ] == [
        (pair, number, valid, attempts, state, why)
        for _, pair, number, valid, attempts, _, _, state, why in (line.split(",") for line in table)
    ]


@pytest.mark.soak
def test_a_frozen_cycle_has_its_whole_plan_and_plans_nothing(finished):
    done = finished.freeze("data")
    assert done.returncode == 0, done.stderr
    finished.assert_snapshot_has_plan("data")
