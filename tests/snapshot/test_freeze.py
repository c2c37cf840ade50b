"""A snapshot takes what the rules made of a cycle, and is never changed. Of live services it needs no key."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.plan.registration import FILE, read_registration, register
from scripts.plan.set_aside import read_set_aside, write_set_aside
from scripts.snapshot import freeze as freezing
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.code_archive import SOURCE_ARCHIVE, commit_of_code
from scripts.snapshot.freeze import freeze
from scripts.snapshot.identity import Correction, Identity, Previous, read_identity
from scripts.tables.output import write_table
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema
from tests.extract.live_trial import SERVER, write_live_trial
from tests.snapshot.complete_cycle import write_complete_cycle

LIVE = TrialKey("8mbps", "iperf-cubic~live-video", 1)


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """A complete cycle, which no test changes."""
    return write_complete_cycle(tmp_path_factory.mktemp("a folder") / "data/demo/2026-11-21")


@pytest.fixture(scope="module")
def snapshot(complete):
    assert main(["freeze", str(complete)]) == 0
    return complete.parents[1] / "snapshots/demo-2026-11-21"


@pytest.fixture
def cycle(tmp_path):
    """A complete cycle for one test."""
    return write_complete_cycle(tmp_path / "data/demo/2026-11-21")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_snapshot_has_the_products_of_the_cycle_and_nothing_else(complete, snapshot):
    taken = {name for name in files(complete) if not name.endswith((".snakemake_timestamp", "round-01.csv"))}
    parts = ("plan/", "tables/", "charts/", "compared/")
    expected = {name for name in taken if name.startswith(parts)}
    expected |= {name.replace("published/", "trials/", 1) for name in taken if name.startswith("published/")}
    added = {"SHA256SUMS", "requirements.lock", "snapshot.json"}
    added |= {"croissant.json", "datapackage.json", "ro-crate-metadata.json"}
    added |= {"environment.json", "source.tar.zst"}
    assert expected | added == files(snapshot)
    assert verify_checksums(snapshot) == len(expected | added) - 1


def test_a_snapshot_names_the_services_that_were_set_aside(cycle):
    write_set_aside(cycle / "plan", {"youtube": "the page cannot be reached"})
    assert main(["freeze", str(cycle)]) == 0
    snapshot = cycle.parents[1] / "snapshots/demo-2026-11-21"
    assert {"youtube": "the page cannot be reached"} == read_set_aside(snapshot / "plan")
    assert verify_checksums(snapshot) == len(files(snapshot)) - 1


def test_a_snapshot_keeps_the_registration_as_it_was_when_it_was_frozen(cycle):
    first = register(cycle / "plan")
    assert main(["freeze", str(cycle)]) == 0
    snapshot = cycle.parents[1] / "snapshots/demo-2026-11-21"
    assert f"plan/{FILE}" in (snapshot / "SHA256SUMS").read_text()
    config = json.loads((cycle / "plan/config.json").read_text())
    (cycle / "plan/config.json").unlink()  # it is a link to that of the snapshot
    (cycle / "plan/config.json").write_text(json.dumps(config | {"title": "Another"}))
    assert 2 == register(cycle / "plan").line
    assert [first] == read_registration(snapshot / "plan")
    assert verify_checksums(snapshot) == len(files(snapshot)) - 1


def test_a_damaged_registration_is_not_frozen(cycle, tmp_path):
    register(cycle / "plan")
    (cycle / "plan" / FILE).write_text("{}\n")
    with pytest.raises(UserError, match=r"registration.jsonl: line 1: is damaged"):
        freeze(cycle, tmp_path / "snapshot")
    assert not (tmp_path / "snapshot").exists()


def test_the_files_are_hard_links(complete, snapshot):
    for there, here in (
        ("published/8mbps/iperf-bbr/01/queue.bin.zst", "trials/8mbps/iperf-bbr/01/queue.bin.zst"),
        ("tables/pairs.parquet", "tables/pairs.parquet"),
    ):
        assert (complete / there).samefile(snapshot / here)


def test_files_are_copied_where_no_link_can_be_made(cycle, tmp_path, monkeypatch):
    def refuse(source, target):
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    freeze(cycle, tmp_path / "copied")
    assert not (tmp_path / "copied/plan/plan.csv").samefile(cycle / "plan/plan.csv")
    assert verify_checksums(tmp_path / "copied") > 0


def test_the_identity_is_that_of_the_trials_with_the_commit_of_the_code(snapshot):
    assert Identity("demo", "2026-11-21", 1, None, commit_of_code()) == read_identity(snapshot)


@pytest.mark.parametrize(
    "missing",
    [
        "plan/plan.csv",
        "plan/specs/8mbps/calibration/01.json",
        "published/8mbps/iperf-bbr/01",
        "published/8mbps/calibration/01",
        "tables/cycle.json",
        "tables/changes.parquet",
        "tables/equivalence.parquet",
        "charts/cycle",
        "charts/trials",
        "compared",
    ],
)
def test_a_missing_product_is_named_with_what_to_do_and_nothing_is_left(cycle, missing, capsys):
    (cycle / missing).rename(cycle / "elsewhere")
    assert main(["freeze", str(cycle)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {cycle / missing}")
    assert "is missing; complete the cycle first (make cycle)" in error
    assert list((cycle.parents[1] / "snapshots").iterdir()) == []


def test_a_folder_that_exists_is_never_changed(complete, snapshot):
    with pytest.raises(UserError, match=r"exists already and is never changed"):
        freeze(complete, snapshot)


def test_a_published_cycle_is_left_as_it_is_and_a_correction_stands_beside_it(cycle, capsys):
    archive = cycle.parents[1] / "snapshots"
    first = archive / "demo-2026-11-21"
    assert main(["freeze", str(cycle), "--once"]) == 0
    before = {name: (first / name).stat().st_mtime_ns for name in files(first)}
    write_table([load_schema("pairs").arrow.empty_table()], "pairs", cycle / "tables", with_csv=True)
    capsys.readouterr()
    assert main(["freeze", str(cycle), "--once"]) == 0
    assert capsys.readouterr().out == (
        f"{first}: demo, cycle 2026-11-21, was published already and stays as it is; "
        "a correction is made by freeze --revision 2 --reason TEXT\n"
    )
    assert main(["freeze", str(cycle)]) == 2
    assert before == {name: (first / name).stat().st_mtime_ns for name in files(first)}
    assert main(["freeze", str(cycle), "--revision", "3", "--reason", "why"]) == 2
    again = ["freeze", str(cycle), "--revision", "2", "--reason", "A rule was wrong", "--date", "2026-12-01"]
    assert main(again) == 0
    second = archive / "demo-2026-11-21-r2"
    assert Correction("2026-12-01", "A rule was wrong") == read_identity(second).correction
    assert pq.read_table(second / "tables/pairs.parquet").num_rows == 0
    verify_checksums(first)


def test_a_snapshot_names_the_one_before_by_its_hash(tmp_path):
    """The order is that of the names of the cycles; a revision follows the revision before."""
    archive = tmp_path / "data/snapshots"
    names = ["2026-11-21-2", "2026-11-21-10"]
    cycles = [write_complete_cycle(tmp_path / "data/demo" / name) for name in ["2026-11-21", *names]]
    for cycle in cycles:
        description = json.loads((cycle / "tables/cycle.json").read_text()) | {"cycle": cycle.name}
        (cycle / "tables/cycle.json").write_text(json.dumps(description))
    for cycle in (cycles[0], cycles[2], cycles[1]):
        assert main(["freeze", str(cycle)]) == 0
    correction = ["--revision", "2", "--reason", "why", "--date", "2026-12-01"]
    assert main(["freeze", str(cycles[0]), *correction]) == 0
    before = {
        "demo-2026-11-21": None,
        "demo-2026-11-21-2": "demo-2026-11-21",
        "demo-2026-11-21-10": "demo-2026-11-21",
        "demo-2026-11-21-r2": "demo-2026-11-21",
    }
    for folder, named in before.items():
        expected = Previous(named, digest(archive / named / "SHA256SUMS")) if named else None
        assert read_identity(archive / folder).previous == expected
    assert main(["freeze", str(cycles[2]), "-o", str(tmp_path / "elsewhere")]) == 0
    assert read_identity(tmp_path / "elsewhere").previous is None


def test_a_snapshot_of_other_trials_with_the_same_name_is_refused(complete, snapshot, cycle, capsys):
    description = json.loads((cycle / "tables/cycle.json").read_text())
    later = {name: description[name] + 10**15 for name in ("first_start_ns", "last_stop_ns")}
    (cycle / "tables/cycle.json").write_text(json.dumps(description | later))
    (cycle.parents[1] / "snapshots").mkdir()
    (cycle.parents[1] / "snapshots/other").symlink_to(snapshot)
    assert main(["freeze", str(cycle), "--once"]) == 2
    assert "snapshots/other: is another measurement of this name; give" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--revision", "2"], ["--reason", "why"], ["--revision", "0"]])
def test_a_correction_has_a_reason_and_the_first_revision_has_none(complete, tmp_path, options):
    assert main(["freeze", str(complete), "-o", str(tmp_path / "made"), *options]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_correction_is_of_today_if_no_date_is_given(complete, tmp_path):
    before = datetime.now(UTC).date().isoformat()
    options = ["--revision", "2", "--reason", "why", "-o", str(tmp_path / "made")]
    assert main(["freeze", str(complete), *options]) == 0
    assert before <= read_identity(tmp_path / "made").correction.date <= datetime.now(UTC).date().isoformat()


PAUSED = """
import sys, time
from pathlib import Path
from scripts.base.locks import scratch_folder
with scratch_folder(Path(sys.argv[1])) as scratch:
    (scratch / "half a snapshot").mkdir()
    print(flush=True)
    time.sleep(600)
"""


def test_a_freeze_removes_what_a_killed_one_left_and_leaves_a_running_one_alone(complete, tmp_path):
    running, killed = (
        subprocess.Popen([sys.executable, "-c", PAUSED, str(tmp_path)], stdout=subprocess.PIPE) for _ in "ab"
    )
    for process in (running, killed):
        process.stdout.readline()
    assert len(list(tmp_path.iterdir())) == 2
    killed.kill()
    killed.wait()
    freeze(complete, tmp_path / "made")
    left = sorted(path.name for path in tmp_path.iterdir())
    running.kill()
    running.wait()
    assert left[0].startswith(".snapshot-")
    assert left[1:] == ["made"]
    assert ["half a snapshot"] == [path.name for path in (tmp_path / left[0]).iterdir()]


def test_the_commit_says_whether_files_were_changed(tmp_path):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    assert commit_of_code(tmp_path) is None
    (tmp_path / "file").write_text("")
    for words in (["init", "-q"], ["add", "file"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    commit = commit_of_code(tmp_path)
    assert len(commit) == 40
    (tmp_path / "untracked").write_text("")
    assert commit_of_code(tmp_path) == commit
    (tmp_path / "file").write_text("changed")
    assert commit_of_code(tmp_path) == f"{commit}+"


@pytest.fixture
def live_cycle(tmp_path, monkeypatch):
    """A measured cycle of a live service, without what is rebuilt from its trials."""
    trial, config = write_live_trial(tmp_path)
    cycle = tmp_path / "data/live/cycle"
    for source, target in ((trial, cycle / "trials" / LIVE.path), (config, cycle / "plan/config.json")):
        target.parent.mkdir(parents=True)
        shutil.move(source, target)
    spec = cycle / "plan/specs" / LIVE.path.with_suffix(".json")
    spec.parent.mkdir(parents=True)
    spec.write_text("{}")
    write_plan_table([PlanLine(1, 1, LIVE, 10)], cycle / "plan/plan.csv")
    monkeypatch.setattr(freezing, "rebuild", make_empty_tables)
    monkeypatch.setattr(freezing, "write_metadata", lambda made: {})
    return cycle


def make_empty_tables(staged):
    """Stands in for the rules."""
    for folder in ("tables", "charts/cycle", Path("charts/trials", LIVE.path.parent), "compared"):
        (staged / folder).mkdir(parents=True, exist_ok=True)
    for table in every_table():
        (staged / f"tables/{table}.parquet").touch()
    (staged / "tables/cycle.json").write_text('{"campaign": "live", "cycle": "cycle"}')
    (staged / "compared/comparison.json").write_text("{}")


def test_a_snapshot_has_pseudonyms_and_no_private_file_and_is_frozen_again_without_a_key(
    live_cycle, tmp_path
):
    line = register(live_cycle / "plan")
    freeze(live_cycle, tmp_path / "snapshot", again=True)
    key = (live_cycle / "private/pseudonyms.key").read_bytes()
    freeze(tmp_path / "snapshot", tmp_path / "again", again=True)
    for snapshot in (tmp_path / "snapshot", tmp_path / "again"):
        assert [line] == read_registration(snapshot / "plan")
        files = [path for path in snapshot.rglob("*") if path.is_file()]
        assert {"private.json", "handshakes.pcapng.zst", "pseudonyms.key"}.isdisjoint(
            path.name for path in files
        )
        measured = [
            path for path in files if path.name != SOURCE_ARCHIVE
        ]  # the code of this test names the server
        assert not any(key in path.read_bytes() or SERVER.encode() in path.read_bytes() for path in measured)
        assert json.loads((snapshot / "trials" / LIVE.path / "trial.json").read_text())["pseudonyms"] is True
    assert not (tmp_path / "snapshot/private").exists()
