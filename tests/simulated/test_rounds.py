"""Snakemake plans a cycle round by round, until every pair is closed."""

import pytest

from tests.simulated.project import PAIR


def test_every_round_begins_with_one_calibration(sound):
    assert sound.one_calibration_a_round("data") == sound.calibrations("data")


def test_rounds_rerun_what_is_invalid_and_go_on_while_the_interval_is_wide(sound):
    assert "plan/round-04.csv" in sound.tables("data")
    table = sound.tables("data")["tables/plan.csv"].decode().splitlines()[1:]
    assert [
        (f'"{PAIR}"', "1", "5", "6", '"open"', '"few"'),
        (f'"{PAIR}"', "2", "6", "7", '"open"', '"wide"'),
        (f'"{PAIR}"', "3", "8", "9", '"closed"', '"enough"'),
    ] == [
        (pair, number, valid, attempts, state, why)
        for _, pair, number, valid, attempts, _, _, state, why in (line.split(",") for line in table)
    ]


@pytest.mark.soak(minutes=2)
def test_a_frozen_cycle_has_its_whole_plan_and_plans_nothing(sound):
    done = sound.freeze("data")
    assert done.returncode == 0, done.stderr
    sound.assert_snapshot_has_plan("data")
