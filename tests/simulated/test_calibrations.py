"""Three failed calibrations in a row stop the cycle. A cycle without calibrations continues."""

import shutil

import pytest

from tests.simulated.project import PAIR


def measured(paths):
    """Names of the trials among the files measured."""
    return sorted(path.parent.as_posix() for path in paths if path.name == "trial.json")


def test_a_failed_calibration_is_repeated_and_the_third_stops_the_cycle_and_says_why(stopped):
    assert stopped.first_run != 0
    names = [f"trials/8mbps/calibration/0{number}" for number in (1, 2, 3)]
    assert names == measured(stopped.measured_first), "they are kept, and nothing is measured after them"
    (log,) = (stopped.root / "reduced/simulated/test/logs/trials").rglob("*.log")
    *again, last = log.read_text().splitlines()
    failed = "the calibration of 8mbps failed: rate off by 0.0100 of it, tolerance 0.001; "
    for name, line in zip(names, (*again, last), strict=True):
        assert f"{name}: {failed}" in line
    assert all(line.endswith("; it is measured again") for line in again)
    assert (
        last.startswith("error: ")
        and "; 3 in a row failed, so no trial of round 1 is measured there; " in last
    )
    assert last.endswith("repeat the same command")


def test_the_same_command_calibrates_anew_and_goes_on(whole):
    after = whole.measured("whole")
    assert whole.measured_first.items() <= after.items()
    names = [*(f"calibration/0{number}" for number in range(1, 6)), f"{PAIR}/01", f"{PAIR}/02"]
    assert [f"trials/8mbps/{name}" for name in names] == measured(after)
    lines = whole.tables("whole")["tables/calibration.csv"].decode().splitlines()[1:]
    verdicts = [*[(str(number), '"failed"') for number in (1, 2, 3)], ("4", '"passed"'), ("5", '"passed"')]
    assert verdicts == [(line.split(",")[2], line.split(",")[4]) for line in lines]


@pytest.mark.soak(minutes=1)
def test_a_snapshot_keeps_the_calibrations(whole):
    done = whole.freeze("whole")
    assert done.returncode == 0, done.stderr
    for name in ("trials/8mbps/calibration/01/queue.bin.zst", "plan/specs/8mbps/calibration/02.json"):
        assert (whole.root / "snapshot" / name).is_file()
    table = whole.tables("whole")["tables/calibration.csv"]
    assert table == (whole.root / "snapshot/tables/calibration.csv").read_bytes()


@pytest.mark.soak(minutes=2)
def test_a_cycle_measured_without_calibrations_is_not_blocked(whole):
    cycle = whole.root / "former/simulated/test"
    shutil.copytree(whole.root / "whole", whole.root / "former")
    for part in ("trials", "stamps", "plan/specs", "parquet", "rows"):
        shutil.rmtree(cycle / part / "8mbps/calibration", ignore_errors=True)
    for path in cycle.glob("tables/*"):
        path.unlink()
    whole.finish("former")
    assert [f"trials/8mbps/{PAIR}/0{number}" for number in (1, 2)] == measured(whole.measured("former"))
    assert 1 == whole.tables("former")["tables/calibration.csv"].count(b"\n"), "the heading alone"
