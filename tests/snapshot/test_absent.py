"""A takedown: files of trials are removed from a published snapshot, which stays verifiable."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.snapshot import absent
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import Removed, Withdrawn, read_tombstone, verify_checksums
from scripts.snapshot.checksums import write_checksums

TRIAL = "trials/8mbps/a~b/01"
CAPTURES = [f"{TRIAL}/client-c1.pcapng.zst", f"{TRIAL}/client-c2.pcapng.zst"]
FILES = ["plan/plan.csv", "tables/pairs.csv", f"{TRIAL}/trial.json", f"{TRIAL}/queue.bin.zst", *CAPTURES]
WHY = ["--reason", "Asked for by c1", "--date", "2026-12-01"]


@pytest.fixture
def snapshot(tmp_path):
    for name in FILES:
        path = tmp_path / "a snapshot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    write_checksums(tmp_path / "a snapshot")
    return tmp_path / "a snapshot"


def remove(snapshot, *names, why=WHY):
    return main(["remove", str(snapshot), *names, *why])


def record(name, date="2026-12-01", reason="Asked for by c1"):
    return Removed(name, len(name), sha256(name.encode()).hexdigest(), date, reason)


def present(snapshot):
    return [name for name in FILES if (snapshot / name).exists()]


def test_a_removed_file_is_gone_and_its_record_says_what_it_was(snapshot):
    sums = (snapshot / "SHA256SUMS").read_bytes()
    assert remove(snapshot, CAPTURES[0]) == 0
    assert present(snapshot) == [name for name in FILES if name != CAPTURES[0]]
    assert read_tombstone(snapshot).removed == (record(CAPTURES[0]),)
    assert (snapshot / "SHA256SUMS").read_bytes() == sums


def test_a_folder_means_every_file_in_it_but_the_one_that_pages_need(snapshot):
    assert remove(snapshot, f"{TRIAL}/") == 0
    assert present(snapshot) == ["plan/plan.csv", "tables/pairs.csv", f"{TRIAL}/trial.json"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (f"{TRIAL}/trial.json", "is needed by the pages; withdraw the cycle instead"),
        ("tables/pairs.csv", "is not below trials/"),
        ("plan", "is not below trials/"),
        ("../elsewhere", "is not below trials/"),
        ("trials/../tables/pairs.csv", "is not in SHA256SUMS"),
        (f"{TRIAL}/client-c3.pcapng.zst", "is not in SHA256SUMS"),
        ("trials/50mbps", "is not in SHA256SUMS"),
    ],
)
def test_what_must_not_be_removed_is_refused_and_nothing_is(snapshot, name, error, capsys):
    assert remove(snapshot, CAPTURES[0], name) == 2
    assert error in capsys.readouterr().err
    assert present(snapshot) == FILES
    assert not (snapshot / "tombstone.json").exists()


def test_a_repeat_changes_nothing_and_a_second_removal_keeps_the_first(snapshot):
    remove(snapshot, CAPTURES[0])
    before = (snapshot / "tombstone.json").read_bytes()
    assert remove(snapshot, CAPTURES[0], why=["--reason", "Another", "--date", "2027-01-01"]) == 0
    assert (snapshot / "tombstone.json").read_bytes() == before
    assert remove(snapshot, TRIAL, why=["--reason", "Another", "--date", "2027-01-01"]) == 0
    first, *later = read_tombstone(snapshot).removed
    assert first == record(CAPTURES[0])
    assert later == [
        record(name, "2027-01-01", "Another") for name in (CAPTURES[1], f"{TRIAL}/queue.bin.zst")
    ]


def test_an_interrupted_removal_is_reported_and_completed_by_a_repeat(snapshot, monkeypatch):
    """The record is written before the file is deleted."""
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", interrupt)
        with pytest.raises(KeyboardInterrupt):
            absent.remove(snapshot, [CAPTURES[0]], "why", "2026-12-01")
    assert (snapshot / CAPTURES[0]).exists()
    with pytest.raises(UserError, match=r"client-c1.pcapng.zst: its removal is incomplete; run remove again"):
        verify_checksums(snapshot)
    (snapshot / ".tombstone.json.4711").write_text("left by a killed command")
    assert remove(snapshot, CAPTURES[0]) == 0
    assert verify_checksums(snapshot) == len(FILES) - 1


def interrupt(*_, **__):
    """Stands in for the deletion of a file."""
    raise KeyboardInterrupt


def test_verification_accepts_what_was_removed_and_nothing_else(snapshot, capsys):
    remove(snapshot, CAPTURES[0])
    capsys.readouterr()
    assert main(["verify", str(snapshot), "--allow", "unsigned"]) == 0
    assert (
        f"{len(FILES) - 1} files match SHA256SUMS; removed since: 1 (tombstone.json)"
        in capsys.readouterr().out
    )
    (snapshot / CAPTURES[1]).unlink()
    with pytest.raises(UserError, match=r"client-c2.pcapng.zst: is missing"):
        verify_checksums(snapshot)


def test_sha256sum_verifies_the_other_files(snapshot):
    remove(snapshot, CAPTURES[0])
    check = ["sha256sum", "--check", "--strict", "--ignore-missing", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=snapshot, check=True)
    (snapshot / CAPTURES[1]).write_text("changed")
    assert subprocess.run(check, cwd=snapshot, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    "forged", [record("tables/pairs.csv"), Removed(CAPTURES[1], 1, "0" * 64, "2026-12-01", "why")]
)
def test_a_tombstone_excuses_no_table_and_no_other_content(snapshot, forged):
    (snapshot / forged.path).unlink()
    (snapshot / "tombstone.json").write_text(json.dumps({"removed": [vars(forged)]}))
    with pytest.raises(UserError, match=r"tombstone.json: .* is no file of a trial in SHA256SUMS"):
        verify_checksums(snapshot)


def test_a_file_that_is_missing_already_is_not_recorded_as_removed(snapshot, capsys):
    (snapshot / CAPTURES[0]).unlink()
    assert remove(snapshot, CAPTURES[0]) == 2
    assert "is missing, and was not removed by this command" in capsys.readouterr().err
    assert not (snapshot / "tombstone.json").exists()


def test_other_hard_links_are_told(snapshot, tmp_path, capsys):
    (tmp_path / "published").hardlink_to(snapshot / CAPTURES[0])
    assert remove(snapshot, *CAPTURES) == 0
    assert (
        "removed so far: 2; still elsewhere, such as in the cycle's published/: 1" in capsys.readouterr().out
    )


def test_a_snapshot_with_removed_files_says_why_it_cannot_be_rebuilt(snapshot, capsys):
    plan = "order,round,setting,pair,trial,duration_s\n1,1,8mbps,a~b,1,12\n"
    (snapshot / "plan/plan.csv").write_text(plan)
    write_checksums(snapshot)
    remove(snapshot, *CAPTURES)
    capsys.readouterr()
    assert main(["reproduce", str(snapshot), "--allow", "unsigned"]) == 2
    assert capsys.readouterr().err == (
        f"error: {snapshot}: cannot be rebuilt without the files that were removed: {', '.join(CAPTURES)} "
        "(on 2026-12-01: Asked for by c1)\n"
    )


def test_a_cycle_is_withdrawn_once_and_stays_verifiable(snapshot, capsys):
    remove(snapshot, CAPTURES[0])
    withdraw = ["withdraw", str(snapshot), "--reason", "The link was wrong", "--date"]
    assert main([*withdraw, "2026-12-02"]) == 0
    assert main([*withdraw, "2027-01-01"]) == 0
    assert "withdrawn on 2026-12-02: The link was wrong" in capsys.readouterr().out.splitlines()[-1]
    tombstone = read_tombstone(snapshot)
    assert tombstone.withdrawn == Withdrawn("2026-12-02", "The link was wrong")
    assert tombstone.removed == (record(CAPTURES[0]),)
    assert verify_checksums(snapshot) == len(FILES) - 1


@pytest.mark.parametrize("command", [["remove", CAPTURES[0]], ["withdraw"]])
def test_a_folder_that_is_no_snapshot_is_refused(tmp_path, command, capsys):
    name, *paths = command
    assert main([name, str(tmp_path), *paths, *WHY]) == 2
    assert "SHA256SUMS: cannot be read" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_takedown_needs_a_reason_and_a_real_date(snapshot):
    for options in ([], ["--reason", "why", "--date", "soon"]):
        with pytest.raises(SystemExit):
            remove(snapshot, CAPTURES[0], why=options)
    assert present(snapshot) == FILES
