"""A measured cycle is never continued with a configuration that its trials do not have."""

import pytest

from tests.simulated.project import LONGEST_S, PAIR, SERVICES, Simulated

ONE = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 1}
TWO = ONE | {"round": 2, "most": 2, "attempts": 2}
BESS = "bottleneck=bess"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A cycle of one trial, measured over BESS, in a copy of the project."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    copy.configure(SERVICES[:2], [PAIR], ONE)
    copy.finish("data", BESS)
    return copy


def stored(copy):
    """Everything that the cycle has, except the logs of Snakemake's jobs."""
    cycle = copy.root / "data/simulated/test"
    files = [path for path in cycle.rglob("*") if path.is_file() and "logs" not in path.parts]
    return {path.relative_to(cycle): path.read_bytes() for path in files}


def assert_refused_twice(copy, changed, *variables):
    """The same command is refused each time, for this reason, and changes nothing."""
    before = stored(copy)
    assert "plan/round-01.csv" in {path.as_posix() for path in before}
    for _ in range(2):
        assert copy.start("data", *variables).wait(timeout=LONGEST_S) != 0
        assert f"the configuration changed {changed} since cycle test was planned" in copy.errors()
        assert before == stored(copy)


def test_another_bottleneck_is_refused_each_time_and_changes_nothing(finished):
    assert_refused_twice(finished, "bottleneck")


def test_another_steady_window_is_refused_each_time_and_changes_nothing(finished):
    finished.configure(SERVICES[:2], [PAIR], ONE, trial={"ignore_first_s": 130})
    assert_refused_twice(finished, "ignore_first_s", BESS)


@pytest.mark.soak
def test_another_service_and_higher_numbers_are_accepted_afterwards(finished):
    finished.configure(SERVICES, [PAIR, "iperf-bbr~iperf-reno"], TWO, validity={"rtt_error_ms": 2.0})
    before = finished.measured("data")
    finished.finish("data", BESS)
    after = finished.measured("data")
    assert before.items() <= after.items()
    assert 4 == len([path for path in after if path.name == "trial.json" and "calibration" not in path.parts])
