"""Signing writes signatures that can be checked and a chain that fits, or nothing."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.snapshot.__main__ import main
from scripts.snapshot.absent import withdraw
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import CHAIN, SNAPSHOT, read_signers
from scripts.snapshot.source import Folder
from scripts.snapshot.trust import Policy, trusted
from tests.snapshot.signed_archive import (
    CAPTURE,
    FIRST,
    SECOND,
    Signed,
    at,
    line_of,
    make_key,
    write_snapshot,
)


@pytest.fixture
def signed(tmp_path):
    return Signed(tmp_path)


def state(signed):
    """The time of change and the content of every file of the archive."""
    files = (path for path in signed.archive.rglob("*") if path.is_file())
    return {
        path.relative_to(signed.archive).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in files
    }


def test_signing_again_changes_nothing(signed):
    before = state(signed)
    assert "was signed already" in signed.sign(FIRST, "2026-12-30")
    assert state(signed) == before


def test_the_same_key_and_time_give_the_same_bytes(signed, tmp_path):
    other = Signed.__new__(Signed)
    other.archive, other.key, other.allowed = tmp_path / "again", signed.key, signed.allowed
    write_snapshot(other.archive, FIRST)
    other.sign(FIRST, "2026-12-08")
    assert {name: content for name, (_, content) in state(signed).items()} == {
        name: content for name, (_, content) in state(other).items()
    }


def test_openssh_alone_checks_what_was_signed(signed):
    for name, namespace in ((f"{FIRST}/SHA256SUMS", SNAPSHOT), ("chain.jsonl", CHAIN)):
        words = ["-Y", "verify", "-f", str(signed.allowed), "-I", f"operator@{SNAPSHOT.partition('@')[2]}"]
        signature = ["-n", namespace, "-s", str(signed.archive / f"{name}.sig")]
        with (signed.archive / name).open() as stream:
            subprocess.run(["ssh-keygen", *words, *signature], stdin=stream, check=True)


@pytest.mark.parametrize("inside", [ROOT / "build", "archive"])
def test_a_key_inside_the_repository_or_the_archive_is_refused(signed, inside, tmp_path):
    folder = signed.archive if inside == "archive" else inside
    folder.mkdir(exist_ok=True)
    key = folder / f".key-{os.getpid()}"
    try:
        shutil.copy(signed.key, key)
        with pytest.raises(UserError, match=r"move the key out of it, so that it is never published"):
            sign(signed.first, key, at("2026-12-30"), read_signers(signed.allowed))
    finally:
        key.unlink()


def test_a_key_that_nobody_can_check_signs_nothing(signed):
    write_snapshot(signed.archive, SECOND)
    before = state(signed)
    other = make_key(signed.keys, "other")
    for line, reason in (
        ("", "other key"),
        (line_of(other, (SNAPSHOT,)), "wrong namespace"),
        (line_of(other, before="20261201Z"), "expired"),
    ):
        signed.allow(line_of(signed.key), line)
        with pytest.raises(UserError, match=rf"other: nobody could check what it signs: .*\({reason}\)"):
            signed.sign(SECOND, "2026-12-22", other)
    assert state(signed) == before


@pytest.mark.parametrize("content", [None, "no key"])
def test_a_key_that_is_missing_or_damaged_is_a_user_error(signed, content, capsys):
    key = signed.keys / "broken"
    if content:
        key.write_text(content)
        key.chmod(0o600)
    write_snapshot(signed.archive, SECOND)
    options = ["--signers", str(signed.allowed), "--date", "2026-12-22T12:00:00Z"]
    command = ["sign", str(signed.archive / SECOND), "--key", str(key), *options]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {key}: ") and "see docs/signing.md" in error


def test_a_damaged_snapshot_is_not_signed(signed):
    write_snapshot(signed.archive, SECOND)
    (signed.archive / SECOND / CAPTURE).write_text("changed")
    before = state(signed)
    with pytest.raises(UserError, match=r"c1\.pcapng\.zst: does not match SHA256SUMS"):
        signed.sign(SECOND, "2026-12-22")
    assert state(signed) == before


def test_a_snapshot_that_changed_since_or_has_another_name_is_not_signed(signed):
    shutil.copytree(signed.first, signed.archive / SECOND)
    with pytest.raises(UserError, match=rf"{SECOND}: is {FIRST} in chain.jsonl; give it that name"):
        signed.sign(SECOND, "2026-12-22")
    shutil.rmtree(signed.first)
    write_snapshot(signed.archive, FIRST, revision=3)
    with pytest.raises(UserError, match=r"SHA256SUMS: differs from what chain.jsonl has of it"):
        signed.sign(FIRST, "2026-12-22")


def test_the_snapshot_before_is_signed_first(signed):
    before = {"folder": "demo-2026-12-14", "sha256": "0" * 64}
    write_snapshot(signed.archive, "demo-2026-12-14")
    write_snapshot(signed.archive, SECOND, before)
    with pytest.raises(UserError, match=r"demo-2026-12-14: is the snapshot before, and not signed"):
        signed.sign(SECOND, "2026-12-22")
    signed.sign("demo-2026-12-14", "2026-12-22")
    with pytest.raises(UserError, match=rf"demo-2026-12-14: is not the one before {SECOND}; restore it"):
        signed.sign(SECOND, "2026-12-22")


def test_a_tombstone_that_vanished_is_not_signed_away(signed):
    withdraw(signed.first, "The link was wrong", "2026-12-11")
    signed.sign(FIRST, "2026-12-11")
    (signed.first / "tombstone.json").unlink()
    with pytest.raises(UserError, match=r"tombstone.json: is missing, although the chain has it; restore it"):
        signed.sign(FIRST, "2026-12-12")


def test_a_line_is_never_older_than_the_line_before(signed):
    write_snapshot(signed.archive, SECOND)
    with pytest.raises(UserError, match=r"its last line is of 2026-12-08T12:00:00Z, which is later"):
        signed.sign(SECOND, "2026-12-01")


@pytest.mark.parametrize("damage", ["flipped", "cut", "unsigned"])
def test_a_damaged_chain_is_restored_by_hand_not_written_again(signed, damage):
    write_snapshot(signed.archive, SECOND)
    signed.sign(SECOND, "2026-12-22")
    withdraw(signed.first, "The link was wrong", "2026-12-23")
    signed.sign(FIRST, "2026-12-23")
    chain = signed.archive / "chain.jsonl"
    content = chain.read_bytes()
    if damage == "flipped":
        chain.write_bytes(content.replace(b"12-21", b"12-22"))
    elif damage == "cut":
        chain.write_bytes(b"".join(content.splitlines(keepends=True)[:1]))
    else:
        (signed.archive / "chain.jsonl.sig").unlink()
    with pytest.raises(UserError, match=r"chain\.jsonl.*(restore|fetch)"):
        signed.sign(FIRST, "2026-12-24")


def test_a_new_key_signs_the_chain_again_and_keeps_the_old_signatures(signed):
    successor = make_key(signed.keys, "successor")
    signed.allow(line_of(signed.key, before="20261215Z"), line_of(successor, after="20261210Z"))
    message = signed.sign(FIRST, "2026-12-20", successor)
    assert message.endswith("written: chain.jsonl.sig")
    found = trusted(Folder(signed.first), Policy(read_signers(signed.allowed), at("2026-12-31")))
    assert found.signer is not None and found.signer.name.startswith("operator@")


PAUSING = """
import os, sys, time
plain = os.replace
def slowly(*names):
    time.sleep(float(sys.argv[1]))
    plain(*names)
os.replace = slowly
from scripts.snapshot.__main__ import main
main(sys.argv[2:])
"""


def test_ten_kills_leave_nothing_that_the_next_call_does_not_mend(signed):
    """Each call is killed at another moment; in between, the chain that is signed stays whole."""
    draw = random.Random(1)
    snapshot = write_snapshot(signed.archive, SECOND)
    signed.allow(line_of(signed.key, after="20200101Z"))
    options = ["--key", str(signed.key), "--signers", str(signed.allowed), "--date", "2026-12-22T12:00:00Z"]
    for number in range(10):
        if number == 5:
            withdraw(snapshot, "The link was wrong", "2026-12-23")
        command = [sys.executable, "-c", PAUSING, "0.15", "sign", str(snapshot), *options]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        wait_for(signed.archive / ".signing", process)
        time.sleep(draw.uniform(0, 0.5))
        process.kill()
        process.wait()
    assert main(["sign", str(snapshot), *options]) == 0
    assert not (signed.archive / ".signing").exists()
    policy = Policy(read_signers(signed.allowed), at("2026-12-31"))
    found = trusted(Folder(snapshot), policy)
    assert [FIRST, SECOND, SECOND] == [entry.folder for entry in found.chain.entries]
    assert found.tombstone.withdrawn is not None


def wait_for(path: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait until a file is there, or the process ended."""
    while not path.exists() and process.poll() is None:
        time.sleep(0.005)
