"""A cycle with reduce=True keeps published forms only, and ends in the same tables as one without."""

import json
import random
import time

import pytest

from tests.simulated.project import OTHER, PAIR, SERVICES, Simulated

SEVERAL = {"solo": 0, "solo_attempts": 0, "round": 3, "most": 4, "attempts": 6}
KILLS = 16


def trials(project, data):
    """The record of every trial, by name."""
    folder = project.root / data / "simulated/test/trials"
    files = folder.glob("*/*/[0-9]*/trial.json")
    return {path.parent.relative_to(folder): json.loads(path.read_text()) for path in files}


def told(project, data):
    """What was said last of each trial."""
    folder = project.root / data / "simulated/test/logs/extract"
    logs = folder.glob(f"*/{PAIR}/*.log")
    return {path.stem: path.read_text().splitlines()[-1].partition(": ")[2] for path in logs}


def steps(project, data):
    """How many steps of trials were done: measured, published, judged, reduced."""
    cycle = project.root / data / "simulated/test"
    patterns = ("stamps/*/*/[0-9]*", "published/*/*/[0-9]*", "rows/*/*/*/trial_services.parquet")
    reduced = sum(record.get("published", False) for record in trials(project, data).values())
    return reduced + sum(len(list(cycle.glob(pattern))) for pattern in patterns)


def extracted(project, data):
    """The Parquet files of trials, which are computed again when they are needed."""
    return [*project.root.glob(f"{data}/simulated/test/parquet/*/*/*/*")]


def measurements(records):
    """What the testbed measured, which both forms of a trial have."""
    return {name: (record["start_ns"], record["seed"]) for name, record in records.items()}


@pytest.mark.soak(minutes=1)
def test_the_tables_are_those_of_a_cycle_without_reduction(reduced):
    assert reduced.tables("whole") == reduced.tables("reduced")


@pytest.mark.soak(minutes=1)
def test_published_forms_stay_and_a_damaged_trial_says_why_it_does_not(reduced):
    records = trials(reduced, "reduced")
    assert [False, True] == [
        record.get("published", False) for name, record in sorted(records.items()) if name.parts[1] == PAIR
    ]
    assert {
        "01": "keeps its raw form: the queue log cannot be read",
        "02": "in its published form",
    } == told(reduced, "reduced")
    assert [] == extracted(reduced, "reduced")
    assert extracted(reduced, "whole")


@pytest.mark.soak(minutes=1)
def test_the_same_command_again_does_nothing(reduced):
    before = reduced.measured("reduced")
    reduced.finish("reduced", "reduce=True")
    assert before == reduced.measured("reduced")
    assert [] == extracted(reduced, "reduced")


@pytest.mark.soak(minutes=3)
def test_an_edit_extracts_again_from_the_published_forms_and_measures_nothing(reduced):
    before, tables = reduced.measured("reduced"), reduced.tables("reduced")
    with (reduced.root / "scripts/extract/queue_log.py").open("a") as module:
        module.write("# edited\n")
    reduced.finish("reduced", "reduce=True")
    assert (before, tables) == (reduced.measured("reduced"), reduced.tables("reduced"))
    assert [] == extracted(reduced, "reduced")


@pytest.mark.soak(minutes=3)
def test_kills_cost_no_trial_and_no_byte(tmp_path):
    """Snakemake is killed at random moments; what it started lives on beside the next run."""
    copy = Simulated(tmp_path / "copy")
    copy.configure(SERVICES, [PAIR, OTHER], SEVERAL)
    draw = random.Random(16)
    before = {}
    for _ in range(KILLS):
        wanted = steps(copy, "killed") + 1
        run = copy.start("killed", "reduce=True")
        while steps(copy, "killed") < wanted:
            assert run.poll() is None, copy.errors()
            time.sleep(0.02)
        time.sleep(draw.uniform(0, 2))
        run.kill()
        run.wait()
        after = measurements(trials(copy, "killed"))
        assert before.items() <= after.items(), "what was measured stays"
        before = after
    copy.finish("killed", "reduce=True")
    copy.finish("calm")
    assert before.items() <= measurements(trials(copy, "killed")).items()
    assert measurements(trials(copy, "calm")) == measurements(trials(copy, "killed"))
    assert copy.tables("calm") == copy.tables("killed")
    assert {True} == {record["published"] for record in trials(copy, "killed").values()}
    assert [] == extracted(copy, "killed")
    assert [] == list(copy.root.glob("killed/simulated/test/trials/*/*/.*.reduced"))
