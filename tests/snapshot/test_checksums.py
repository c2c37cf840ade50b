"""SHA256SUMS: an error names the file. Files of trials may be published elsewhere only, and be taken back."""

import json
import subprocess
from pathlib import PurePosixPath

import pytest

from scripts.base.errors import UserError
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import (
    Pruned,
    pruned_files,
    read_pruned,
    read_tombstone,
    verify_checksums,
    write_pruned,
)
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.source import Folder

TRIAL = "trials/8mbps/a~b/01"
CAPTURE, LOG = f"{TRIAL}/client-c1.pcapng.zst", f"{TRIAL}/queue.bin.zst"
PLAN = "order,round,setting,pair,trial,duration_s\n1,1,8mbps,a~b,1,12\n"
FILES = ["tables/pairs.csv", f"{TRIAL}/trial.json", CAPTURE, LOG]
PRUNED = Pruned("2027-01-04", "s3:observatory", 1, len(CAPTURE))


@pytest.fixture
def snapshot(tmp_path):
    """A snapshot without one of its captures."""
    folder = tmp_path / "a snapshot"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    resources = [{"path": name, "bytes": len(name), "hash": "sha256:0"} for name in FILES[1:]]
    (folder / "datapackage.json").write_text(json.dumps({"resources": resources}))
    write_checksums(folder)
    write_pruned(folder, PRUNED)
    (folder / CAPTURE).unlink()
    return folder


def test_what_was_pruned_is_read_back(snapshot, tmp_path):
    assert read_pruned(snapshot) == PRUNED
    assert read_pruned(tmp_path) is None


def test_verification_says_where_the_pruned_files_are(snapshot, capsys):
    assert main(["verify", str(snapshot), "--allow", "unsigned"]) == 0
    assert capsys.readouterr().out.startswith(
        f"{snapshot}: not signed; {len(FILES)} files match SHA256SUMS; "
        "1 files are not on this disk (pruned.json): published at s3:observatory\n"
    )


def test_captures_that_are_elsewhere_are_not_pruned(snapshot, tmp_path):
    listed, elsewhere = [PurePosixPath(name) for name in FILES], tmp_path / "elsewhere"
    (elsewhere / CAPTURE).parent.mkdir(parents=True)
    (elsewhere / CAPTURE).touch()
    assert {PurePosixPath(CAPTURE)} == pruned_files(Folder(snapshot), listed)
    assert PurePosixPath(CAPTURE) not in pruned_files(Folder(snapshot, elsewhere / "trials"), listed)


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("tables/pairs.csv", None, "is missing; fetch the snapshot again"),
        (LOG, "changed", "does not match SHA256SUMS"),
        (f"{TRIAL}/client-c9.pcapng.zst", "more", "is not in SHA256SUMS"),
    ],
)
def test_pruned_files_excuse_no_table_and_no_other_content(snapshot, name, content, error):
    (snapshot / name).unlink(missing_ok=True)
    if content:
        (snapshot / name).write_text(content)
    with pytest.raises(UserError, match=error):
        verify_checksums(snapshot)


def test_a_pruned_file_can_be_taken_back(snapshot, capsys):
    assert main(["remove", str(snapshot), CAPTURE, LOG, "--reason", "Asked for"]) == 0
    assert [(one.path, one.bytes) for one in read_tombstone(snapshot).removed] == [
        (CAPTURE, len(CAPTURE)),
        (LOG, len(LOG)),
    ]
    capsys.readouterr()
    assert main(["verify", str(snapshot), "--allow", "unsigned"]) == 0
    assert "; 3 files match SHA256SUMS; removed since: 2 (tombstone.json)\n" in capsys.readouterr().out


def test_a_pruned_snapshot_says_where_its_trials_are_when_it_cannot_be_rebuilt(snapshot, capsys):
    (snapshot / "plan").mkdir()
    (snapshot / "plan/plan.csv").write_text(PLAN)
    (snapshot / CAPTURE).write_text(CAPTURE)
    write_checksums(snapshot)
    (snapshot / CAPTURE).unlink()
    assert main(["reproduce", str(snapshot), "--allow", "unsigned"]) == 2
    assert "(pruned.json); fetch them from s3:observatory, and remove pruned.json" in capsys.readouterr().err


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "trials/a~b").mkdir(parents=True)
    (tmp_path / "trials/a~b/x.json").write_text("{}")
    (tmp_path / "plan.csv").write_text("order\n")
    write_checksums(tmp_path)
    return tmp_path


def test_checksums_are_verified_here_and_by_sha256sum(folder):
    assert verify_checksums(folder) == 2
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)


def test_a_changed_file_is_named(folder):
    (folder / "trials/a~b/x.json").write_text("{ }")
    with pytest.raises(UserError, match=r"trials/a~b/x.json: does not match SHA256SUMS"):
        verify_checksums(folder)


def test_a_missing_file_is_named(folder):
    (folder / "plan.csv").unlink()
    with pytest.raises(UserError, match=r"plan.csv: is missing"):
        verify_checksums(folder)


def test_a_file_that_was_added_is_named(folder):
    (folder / "more.csv").write_text("")
    with pytest.raises(UserError, match=r"more.csv: is not in SHA256SUMS"):
        verify_checksums(folder)


def test_a_folder_without_checksums_is_not_a_snapshot(tmp_path):
    with pytest.raises(
        UserError, match=r"SHA256SUMS: cannot be read: No such file or directory; is this a snap"
    ):
        verify_checksums(tmp_path)
