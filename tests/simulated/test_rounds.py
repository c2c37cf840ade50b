"""Snakemake plans a cycle round by round, until every pair is closed."""

import pytest

from tests.simulated.project import OTHER, PAIR, SERVICES, Simulated

SMALL = {"solo": 0, "solo_attempts": 0, "round": 6, "most": 8, "attempts": 12}


def rows_of(project, data):
    """Pair, round, valid trials, attempts, state and reason of every row of the table `plan`."""
    lines = project.tables(data)["tables/plan.csv"].decode().replace('"', "").splitlines()[1:]
    return [
        (pair, number, valid, attempts, state, why)
        for _, pair, number, valid, attempts, _, _, state, why in (line.split(",") for line in lines)
    ]


def test_a_second_round_reruns_what_is_invalid(whole):
    assert [
        (PAIR, "1", "0", "1", "open", "few"),
        (PAIR, "2", "1", "2", "closed", "enough"),
    ] == rows_of(whole, "whole")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A finished cycle of two pairs without calibrations that fail."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    copy.configure(SERVICES, [PAIR, OTHER], SMALL)
    copy.finish("data")
    return copy


@pytest.mark.soak(minutes=2)
def test_every_round_begins_with_one_calibration(sound):
    assert sound.one_calibration_a_round("data") == sound.calibrations("data")


@pytest.mark.soak(minutes=0.1)
def test_rounds_go_on_while_the_interval_is_wide(sound):
    assert "plan/round-04.csv" in sound.tables("data")
    assert [
        (PAIR, "1", "5", "6", "open", "few"),
        (PAIR, "2", "6", "7", "open", "wide"),
        (PAIR, "3", "8", "9", "closed", "enough"),
        (OTHER, "1", "6", "6", "open", "unproven"),  # p of six trials is 3.1 %, two pairs ask for 2.5 %.
        (OTHER, "2", "8", "8", "closed", "enough"),
    ] == rows_of(sound, "data")


@pytest.mark.soak(minutes=1)
def test_a_frozen_cycle_has_its_whole_plan_and_plans_nothing(sound):
    done = sound.freeze("data")
    assert done.returncode == 0, done.stderr
    sound.assert_snapshot_has_plan("data")
