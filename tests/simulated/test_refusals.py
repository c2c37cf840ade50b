"""A measured cycle is never continued with a configuration that its trials do not have."""

import pytest

from scripts.plan.registration import FILE, read_registration
from tests.simulated.project import LONGEST_S, ONE, PAIR, SERVICES

TWO = ONE | {"round": 2, "most": 2, "attempts": 3}


@pytest.fixture
def finished(whole):
    """The finished cycle. Its campaign is restored after the test."""
    campaign = whole.root / "config/campaigns/simulated.yaml"
    before = campaign.read_text()
    yield whole
    campaign.write_text(before)


def stored(copy):
    """Everything that the cycle has, except the logs of Snakemake's jobs."""
    cycle = copy.root / "whole/simulated/test"
    files = [path for path in cycle.rglob("*") if path.is_file() and "logs" not in path.parts]
    return {path.relative_to(cycle): path.read_bytes() for path in files}


def assert_refused(copy, changed, *variables):
    """The same command is refused for this reason, and changes nothing."""
    before = stored(copy)
    assert "plan/round-01.csv" in {path.as_posix() for path in before}
    assert copy.start("whole", *variables).wait(timeout=LONGEST_S) != 0
    assert f"the configuration changed {changed} since cycle test was planned" in copy.errors()
    assert before == stored(copy)


def test_another_bottleneck_is_refused_each_time_and_changes_nothing(finished):
    for _ in range(2):
        assert_refused(finished, "bottleneck", "bottleneck=bess")


def test_another_steady_window_is_refused_and_changes_nothing(finished):
    finished.configure(SERVICES[:2], [PAIR], ONE, trial={"ignore_first_s": 130})
    assert_refused(finished, "ignore_first_s")


def test_a_cycle_is_registered_before_its_first_trial_and_a_damaged_registration_is_refused(finished):
    plan = finished.root / "whole/simulated/test/plan"
    whole = (plan / FILE).read_text()
    assert [(1, 0)] == [(line.line, line.trials) for line in read_registration(plan)]
    (plan / FILE).write_text(whole[:-9])
    before = stored(finished)
    assert 2 == finished.start("whole").wait(timeout=LONGEST_S)
    assert f"{FILE}: line 1: has no end; take the file from a backup" in finished.errors()
    assert before == stored(finished)
    (plan / FILE).write_text(whole)


@pytest.mark.soak(minutes=2)
def test_another_service_and_higher_numbers_are_accepted_afterwards(finished):
    finished.configure(SERVICES, [PAIR, "iperf-bbr~iperf-reno"], TWO, validity={"rtt_error_ms": 2.0})
    before = finished.measured("whole")
    finished.finish("whole")
    after = finished.measured("whole")
    first, second = read_registration(finished.root / "whole/simulated/test/plan")
    assert 0 == first.trials < second.trials < 5
    assert before.items() <= after.items()
    assert 5 == len([path for path in after if path.name == "trial.json" and "calibration" not in path.parts])
