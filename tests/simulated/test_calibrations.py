"""A failed calibration stops the cycle. A cycle without calibrations continues."""

import json
import shutil

import pytest

from tests.simulated.project import LONGEST_S, PAIR, SERVICES, Simulated

ONE = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 1}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A campaign of one trial in a copy of the project; its first calibration finds the link too slow."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text(json.dumps({"calibration": {"slow": [1]}}))
    copy.configure(SERVICES[:2], [PAIR], ONE)
    return copy


@pytest.fixture(scope="module")
def stopped(copy):
    """The status of its first run, and what was measured in it."""
    return copy.start("data").wait(timeout=LONGEST_S), copy.measured("data")


@pytest.fixture(scope="module")
def finished(copy, stopped):
    """The same command again, to the cycle's end."""
    copy.finish("data")
    return copy


def measured(paths):
    """Names of the trials among the files measured."""
    return sorted(path.parent.as_posix() for path in paths if path.name == "trial.json")


def test_a_failed_calibration_stops_the_cycle_and_says_why(copy, stopped):
    status, paths = stopped
    assert status != 0
    assert ["trials/8mbps/calibration/01"] == measured(paths), "it is kept, and nothing is measured after it"
    (log,) = (copy.root / "data/simulated/test/logs/trials").rglob("*.log")
    said = log.read_text()
    assert said.startswith("error: ") and "trials/8mbps/calibration/01: " in said
    assert "rate off by 0.0100 of it, tolerance 0.001; " in said and "repeat the same command" in said
    assert 1 == said.count("\n")


def test_the_same_command_calibrates_anew_and_goes_on(finished, stopped):
    _, before = stopped
    after = finished.measured("data")
    assert before.items() <= after.items()
    names = ["calibration/01", "calibration/02", f"{PAIR}/01"]
    assert [f"trials/8mbps/{name}" for name in names] == measured(after)
    lines = finished.tables("data")["tables/calibration.csv"].decode().splitlines()[1:]
    assert [("1", '"failed"'), ("2", '"passed"')] == [
        (line.split(",")[2], line.split(",")[4]) for line in lines
    ]


def test_a_snapshot_keeps_the_calibrations(finished):
    done = finished.freeze("data")
    assert done.returncode == 0, done.stderr
    for name in ("trials/8mbps/calibration/01/queue.bin.zst", "plan/specs/8mbps/calibration/02.json"):
        assert (finished.root / "snapshot" / name).is_file()
    table = finished.tables("data")["tables/calibration.csv"]
    assert table == (finished.root / "snapshot/tables/calibration.csv").read_bytes()


def test_a_cycle_measured_without_calibrations_is_not_blocked(finished):
    cycle = finished.root / "former/simulated/test"
    shutil.copytree(finished.root / "data", finished.root / "former")
    for part in ("trials", "stamps", "plan/specs", "parquet", "rows"):
        shutil.rmtree(cycle / part / "8mbps/calibration", ignore_errors=True)
    for path in cycle.glob("tables/*"):
        path.unlink()
    finished.finish("former")
    assert [f"trials/8mbps/{PAIR}/01"] == measured(finished.measured("former"))
    assert 1 == finished.tables("former")["tables/calibration.csv"].count(b"\n"), "the heading alone"
