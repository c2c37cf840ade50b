"""A cycle that was measured in part goes on elsewhere from its lean snapshot, and repeats nothing."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.model.plan_file import read_plan
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.checksums import files_of
from scripts.snapshot.identity import Incomplete, read_identity
from scripts.snapshot.lean_format import read_left_out
from tests.simulated.project import LONGEST_S, PAIR, ROOT, SERVICES, Simulated
from tests.site.archives import broken_links

TRIALS = {"solo": 1, "solo_attempts": 1, "round": 2, "most": 2, "attempts": 3}
FIRST = 3
"""So many of the four trials are measured at first."""
NAME = "simulated-test"
pytestmark = pytest.mark.soak(minutes=0.3)

RESULTS = ("pairs", "figures", "samples", "solo", "trial_fairness", "verdicts", "validity", "trial_services")


def command(project, *words):
    """A command of snapshots in the copy of the project."""
    return subprocess.run(
        [sys.executable, "-m", "scripts.snapshot", *words],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )


def succeed(project, *words):
    done = command(project, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def make(project, data, targets):
    assert project.start(data, targets=targets).wait(timeout=LONGEST_S) == 0, project.errors()


def reproduce(project, snapshot, *words):
    return command(project, "reproduce", snapshot, "--allow", "unsigned", "--allow", "unchained", *words)


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Simulated:
    """Three of four trials are measured in `first` and frozen in `half`. The cycle goes on in `second`."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text("{}")
    shutil.copytree(ROOT / "site", copy.root / "site")
    copy.configure(SERVICES[:2], [PAIR], TRIALS)
    make(copy, "first", ["plan/round-01.csv"])
    planned = read_plan(copy.root / "first/simulated/test/plan/round-01.csv")
    rows = [f"rows/{line.key.path}/trial_services.parquet" for line in planned[:FIRST]]
    make(copy, "first", rows)
    copy.told = succeed(copy, "freeze", "first/simulated/test", "--lean", "-o", f"half/{NAME}")
    succeed(copy, "resume", f"half/{NAME}", "second/simulated/test")
    copy.measured_first = copy.measured("second")
    copy.finish("second")
    succeed(copy, "freeze", "second/simulated/test", "-o", f"whole/{NAME}")
    return copy


@pytest.fixture
def half(project) -> Path:
    return project.root / "half" / NAME


@pytest.fixture
def whole(project) -> Path:
    return project.root / "whole" / NAME


def test_a_cycle_that_is_not_complete_is_frozen_with_what_it_has_and_says_so(project, half):
    assert Incomplete(FIRST, 4) == read_identity(half).incomplete
    assert f"{FIRST} of 4 trials planned so far" in project.told
    assert FIRST == len(read_plan(half / "plan/plan.csv"))
    pairs = pq.read_table(half / "tables/pairs.parquet").to_pylist()
    assert {(None, True)} == {(row["verdict"], row["provisional"]) for row in pairs}


def test_what_is_there_matches_its_checksums_and_what_is_not_is_named(project, half):
    assert len(files_of(half)) == verify_checksums(half)
    assert {"trial.json"} == {path.name for path in half.glob("trials/*/*/*/*")}
    absent = read_left_out(half).by_path
    (captures,) = {reason for path, (_, reason) in absent.items() if path.endswith(".pcapng.zst")}
    assert captures.startswith(f"captures, logs and observations of {FIRST + 1} trials and calibrations that")
    published = project.root / "first/simulated/test/published"
    for path in published.glob("*/*/*/client-c1.pcapng.zst"):
        file, _ = absent[f"trials/{path.relative_to(published)}"]
        assert path.stat().st_size == file.bytes
    assert not absent.keys() & {path.as_posix() for path in files_of(half)}


def test_finished_trials_are_not_measured_again_and_a_new_host_calibrates(project):
    now = project.measured("second")
    trials = {path for path in project.measured_first if path.name == "trial.json"}
    assert {path: now[path] for path in trials} == {path: project.measured_first[path] for path in trials}
    assert len(project.calibrations("second")) == 2
    assert 4 == len(read_plan(project.root / "second/simulated/test/plan/plan.csv"))


def test_the_figures_are_those_of_a_cycle_that_was_never_interrupted(project):
    project.finish("first")
    once, twice = project.tables("first"), project.tables("second")
    for table in RESULTS:
        assert once[f"tables/{table}.csv"] == twice[f"tables/{table}.csv"], table


def test_a_resumed_cycle_is_frozen_lean_and_complete(whole):
    identity = read_identity(whole)
    assert ("lean", None) == (identity.kind, identity.incomplete)
    reasons = {group.reason for group in read_left_out(whole).groups if group.of_trials and group.files}
    assert [f"of {count} trials and" in " ".join(reasons) for count in (FIRST + 1, 2)] == [True, True]
    assert "provisional" not in pq.read_schema(whole / "tables/pairs.parquet").names


@pytest.mark.parametrize("state", ["half", "whole"])
def test_its_tables_and_charts_follow_from_its_rows(project, state):
    done = reproduce(project, f"{state}/{NAME}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "identical: " in done.stdout
    assert "not rebuilt, because they follow from captures, which were left out: " in done.stdout


def test_a_changed_row_is_found(project, whole, tmp_path):
    changed = tmp_path / NAME
    shutil.copytree(whole, changed)
    table = changed / "tables/figures.parquet"
    rows = pq.read_table(table)
    pq.write_table(rows.slice(1), table)
    told = command(project, "verify", str(changed), "--allow", "unsigned", "--allow", "unchained").stderr
    assert "figures.parquet: does not match SHA256SUMS" in told


def test_captures_cannot_be_asked_for(project):
    done = reproduce(project, f"whole/{NAME}", "--from", "captures")
    assert 2 == done.returncode
    assert "is lean: the captures were left out (left_out.json); rebuild it from rows" in done.stderr


def test_verify_tells_what_is_left_out(project):
    allowed = ("--allow", "unsigned", "--allow", "unchained")
    told = succeed(project, "verify", f"half/{NAME}", *allowed)
    assert "not complete: 3 of 4 trials planned so far" in told
    assert "were left out (left_out.json)" in told


def test_no_description_lists_a_file_that_is_not_there(whole):
    described = json.loads((whole / "datapackage.json").read_text())["resources"]
    assert all((whole / one["path"]).is_file() for one in described)
    croissant = json.loads((whole / "croissant.json").read_text())["distribution"]
    assert {"trial-records"} == {one["@id"] for one in croissant if one["@type"] == "cr:FileSet"}


def test_an_existing_cycle_is_not_overwritten(project):
    done = command(project, "resume", f"half/{NAME}", "second/simulated/test")
    assert 2 == done.returncode
    assert "exists already; go on there (make cycle), or move it away" in done.stderr


def test_a_later_state_replaces_an_incomplete_one_and_not_the_other_way_round(project, half, tmp_path):
    there = tmp_path / "lean" / NAME
    shutil.copytree(half, there)
    succeed(project, "freeze", "second/simulated/test", "--lean", "-o", str(there))
    assert read_identity(there).incomplete is None
    done = command(project, "freeze", "first/simulated/test", "--lean", "-o", str(there))
    assert "exists already and is never changed" in done.stderr


def test_pages_name_what_was_left_out(project):
    done = subprocess.run(
        [sys.executable, "-m", "scripts.site", "build", "--snapshots", "half", "-o", "pages"],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = project.root / "pages/cycles/simulated/test"
    assert "Not complete: 3 of 4 trials planned so far are measured." in (pages / "index.html").read_text()
    (trial, *_) = sorted(pages.glob(f"trials/*/{PAIR}/01/index.html"))
    assert "client-c1.pcapng.zst, left out" in trial.read_text()
    assert "captures, logs and observations of" in trial.read_text()
    assert not [link for _, link in broken_links(project.root / "pages") if "captures" in link]
