"""A failed calibration stops the cycle. A cycle without calibrations continues."""

import shutil

import pytest

from tests.simulated.project import PAIR


def measured(paths):
    """Names of the trials among the files measured."""
    return sorted(path.parent.as_posix() for path in paths if path.name == "trial.json")


def test_a_failed_calibration_stops_the_cycle_and_says_why(stopped):
    assert stopped.first_run != 0
    paths = stopped.measured_first
    assert ["trials/8mbps/calibration/01"] == measured(paths), "it is kept, and nothing is measured after it"
    (log,) = (stopped.root / "reduced/simulated/test/logs/trials").rglob("*.log")
    said = log.read_text()
    assert said.startswith("error: ") and "trials/8mbps/calibration/01: " in said
    assert "rate off by 0.0100 of it, tolerance 0.001; " in said and "repeat the same command" in said
    assert 1 == said.count("\n")


def test_the_same_command_calibrates_anew_and_goes_on(whole):
    after = whole.measured("whole")
    assert whole.measured_first.items() <= after.items()
    names = ["calibration/01", "calibration/02", "calibration/03", f"{PAIR}/01", f"{PAIR}/02"]
    assert [f"trials/8mbps/{name}" for name in names] == measured(after)
    lines = whole.tables("whole")["tables/calibration.csv"].decode().splitlines()[1:]
    assert [("1", '"failed"'), ("2", '"passed"'), ("3", '"passed"')] == [
        (line.split(",")[2], line.split(",")[4]) for line in lines
    ]


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
