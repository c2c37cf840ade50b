"""A cycle with reduce=True keeps published forms only, and ends in the same tables as one without."""

import json
import random
import time

import pytest

from tests.simulated.project import OTHER, PAIR, SERVICES, Simulated

ONE = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 2}
SEVERAL = {"solo": 0, "solo_attempts": 0, "round": 3, "most": 4, "attempts": 6}
KILLS = 16


class Reduced(Simulated):
    """A project whose cycles are looked at trial by trial."""

    def trials(self, data):
        """The record of every trial, by name."""
        folder = self.root / data / "simulated/test/trials"
        files = folder.glob("*/*/[0-9]*/trial.json")
        return {path.parent.relative_to(folder): json.loads(path.read_text()) for path in files}

    def reasons(self, data):
        """The content of each stamp of a reduced trial."""
        folder = self.root / data / "simulated/test/stamps/reduced"
        return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.glob("*/*/*")}

    def steps(self, data):
        """How many steps of trials were done: measured, judged, published, reduced."""
        cycle = self.root / data / "simulated/test"
        patterns = ("stamps/*/*/[0-9]*", "rows/*/*/*/trial_services.parquet", "published/*/*/[0-9]*")
        return sum(len(list(cycle.glob(pattern))) for pattern in (*patterns, "stamps/reduced/*/*/*"))

    def large(self, data):
        """The Parquet files that are computed again when they are needed."""
        return [p for p in self.root.glob(f"{data}/simulated/test/parquet/*/*/*/*") if p.stem != "clients"]


def measurements(records):
    """What the testbed measured, which both forms of a trial have."""
    return {name: (record["start_ns"], record["seed"]) for name, record in records.items()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A cycle with reduction in `reduced`, and one without in `whole`; the first trial is damaged."""
    copy = Reduced(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text(json.dumps({PAIR: {"damaged": [1]}}))
    copy.configure(SERVICES[:2], [PAIR], ONE)
    copy.finish("reduced", "reduce=True")
    copy.finish("whole")
    return copy


def test_the_tables_are_those_of_a_cycle_without_reduction(finished):
    assert finished.tables("whole") == finished.tables("reduced")


def test_published_forms_stay_and_a_damaged_trial_says_why_it_does_not(finished):
    trials = finished.trials("reduced")
    assert [False, True] == [
        record.get("published", False) for name, record in sorted(trials.items()) if name.parts[1] == PAIR
    ]
    reasons = finished.reasons("reduced")
    assert {
        f"8mbps/{PAIR}/01": "the trial was salvaged: the queue log cannot be read",
        f"8mbps/{PAIR}/02": "",
    } == reasons
    assert [] == finished.large("reduced")
    assert finished.large("whole")


def test_the_same_command_again_does_nothing(finished):
    before = finished.measured("reduced")
    finished.finish("reduced", "reduce=True")
    assert before == finished.measured("reduced")
    assert [] == finished.large("reduced")


@pytest.mark.soak
def test_an_edit_extracts_again_from_the_published_forms_and_measures_nothing(finished):
    before, tables = finished.measured("reduced"), finished.tables("reduced")
    with (finished.root / "scripts/extract/queue_log.py").open("a") as module:
        module.write("# edited\n")
    finished.finish("reduced", "reduce=True")
    assert (before, tables) == (finished.measured("reduced"), finished.tables("reduced"))
    assert [] == finished.large("reduced")


@pytest.mark.soak
def test_kills_cost_no_trial_and_no_byte(tmp_path):
    """Snakemake is killed at random moments; what it started lives on beside the next run."""
    copy = Reduced(tmp_path / "copy")
    copy.configure(SERVICES, [PAIR, OTHER], SEVERAL)
    draw = random.Random(16)
    before = {}
    for _ in range(KILLS):
        wanted = copy.steps("killed") + 1
        run = copy.start("killed", "reduce=True")
        while copy.steps("killed") < wanted:
            assert run.poll() is None, copy.errors()
            time.sleep(0.02)
        time.sleep(draw.uniform(0, 2))
        run.kill()
        run.wait()
        after = measurements(copy.trials("killed"))
        assert before.items() <= after.items(), "what was measured stays"
        before = after
    copy.finish("killed", "reduce=True")
    copy.finish("calm")
    assert before.items() <= measurements(copy.trials("killed")).items()
    assert measurements(copy.trials("calm")) == measurements(copy.trials("killed"))
    assert copy.tables("calm") == copy.tables("killed")
    assert {""} == set(copy.reasons("killed").values())
    assert [] == copy.large("killed")
    assert [] == list(copy.root.glob("killed/simulated/test/trials/*/*/.*.reduced"))
