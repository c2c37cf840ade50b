"""Snakemake is killed often: the cycle continues, measures nothing twice and ends in the same bytes."""

import random
import time

import pytest

from tests.simulated.project import OTHER, PAIR, PAPER, SERVICES, Simulated

pytestmark = pytest.mark.soak(minutes=10)

KILLS = 20


def finish_with_kills(simulated: Simulated) -> None:
    """Run the cycle in `killed` to its end. Kill Snakemake KILLS times, and add a service meanwhile.

    The processes of a killed Snakemake live on for a moment, beside the next run.
    """
    draw = random.Random(11)
    before = simulated.measured("killed")
    for services, pairs, count in (
        (SERVICES[:2], [PAIR], KILLS - KILLS // 3),
        (SERVICES, [PAIR, OTHER], KILLS // 3),
    ):
        simulated.configure(services, pairs, PAPER)
        for _ in range(count):
            wanted = simulated.produced("killed") + draw.randint(1, 20)
            run = simulated.start("killed")
            while simulated.produced("killed") < wanted:
                assert run.poll() is None, "it is killed long before its end"
                time.sleep(0.02)
            run.kill()
            run.wait()
            after = simulated.measured("killed")
            assert before.items() <= after.items(), "what was measured stays as it was"
            before = after
    simulated.finish("killed")
    assert before.items() <= simulated.measured("killed").items()


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """One cycle with the paper's numbers of trials, killed in `killed`, undisturbed in `calm`."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    finish_with_kills(copy)
    copy.finish("calm")
    return copy


def test_a_killed_cycle_ends_in_the_same_bytes(simulated):
    calm = simulated.tables("calm")
    assert {"tables/pairs.csv", "tables/plan.csv", "tables/plan.parquet", "plan/round-04.csv"} <= calm.keys()
    assert calm == simulated.tables("killed")


def test_kills_and_an_added_service_cost_no_trial(simulated):
    assert simulated.measured("calm").keys() == simulated.measured("killed").keys()


def test_every_round_begins_with_one_calibration_however_often_it_is_killed(simulated):
    assert simulated.one_calibration_a_round("calm") == simulated.calibrations("killed")


def test_a_killed_cycle_is_frozen_with_its_whole_plan(simulated):
    done = simulated.freeze("killed")
    assert done.returncode == 0, done.stderr
    simulated.assert_snapshot_has_plan("calm")
