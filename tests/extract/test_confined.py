"""Files of strangers are read without privileges and network, within limits, and never stall a cycle."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest
import zstandard

from scripts.base.confinement import FIRST_UID, READER, may_change_user
from scripts.base.errors import UserError
from scripts.extract import confined
from scripts.extract.__main__ import main as extract_command
from scripts.extract.confined import WorkerError, fault_of_worker, made_by_worker, workshop
from scripts.extract.extract_trial import extract
from scripts.extract.jobs import FAULT, MADE
from scripts.extract.published_trial import main as publish_command
from scripts.extract.published_trial import publish
from scripts.extract.trial_files import HANDSHAKES, TABLES, LinkError
from tests.extract.messages import client_hello, segment
from tests.extract.synthetic import capture, example_trial, write_compressed


@pytest.fixture
def trial(tmp_path):
    return example_trial().write(tmp_path / "trial")


def salvaged(trial, output):
    """Extract with --salvage; the status and the reason in clients.parquet."""
    assert extract_command([str(trial), "-o", str(output), "--salvage"]) == 0
    table = pq.read_table(output / "clients.parquet")
    return table["status"][0].as_py(), table["reason"][0].as_py()


def test_the_worker_has_no_privileges_no_network_and_limits(tmp_path):
    """It is looked at from outside, while it waits for a capture that does not come."""
    if not may_change_user():
        pytest.skip("needs root")
    os.mkfifo(tmp_path / "endless")
    (tmp_path / "endless").chmod(0o644)
    (tmp_path / "secret").write_text("secret")
    command = [sys.executable, "-m", "scripts.extract", str(tmp_path / "endless")]
    running = subprocess.Popen([*command, "-o", str(tmp_path / "out")], stderr=subprocess.PIPE)
    try:
        inner = innermost(running)
        status = Path(f"/proc/{inner.pid}/status").read_text()
        assert inner.uids().real == FIRST_UID + READER
        assert inner.gids().effective == FIRST_UID + READER
        assert "CapEff:\t0000000000000000" in status
        assert "CapBnd:\t0000000000000000" in status
        assert "NoNewPrivs:\t1" in status
        assert "Groups:\t \n" in status
        devices = Path(f"/proc/{inner.pid}/net/dev").read_text()
        assert [line.split(":")[0].strip() for line in devices.splitlines()[2:]] == ["lo"]
        limits = Path(f"/proc/{inner.pid}/limits").read_text()
        assert f"Max address space         {confined.ADDRESS_SPACE_BYTES}" in limits
        assert f"Max cpu time              {confined.SECONDS}" in limits
        assert Path(f"/proc/{inner.pid}/root/{tmp_path}/endless").exists()
        assert not Path(f"/proc/{inner.pid}/root/{tmp_path}/secret").exists()
        assert not Path(f"/proc/{inner.pid}/root/etc/passwd").exists()
    finally:
        running.kill()
        running.wait()
    deadline = time.monotonic() + 10
    while inner.is_running() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not inner.is_running()


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def innermost(running):
    """The worker itself. The first of the programs that confine it is a Python until it execs."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        below = psutil.Process(running.pid).children(recursive=True)
        if len(below) > 1 and "python" in below[-1].name():
            return below[-1]
        time.sleep(0.02)
    raise TimeoutError("the worker did not start")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("queue.bin.zst", b"<b>secret</b>", "the queue log cannot be read"),
        ("client-c1.pcapng.zst", b"<b>secret</b>, not a capture", "the capture of c1 cannot be read"),
        ("qoe.json", b"<b>secret", "the observations of the drivers cannot be read"),
        ("senders.jsonl.zst", b"<b>secret", "the samples of the senders cannot be read"),
        ("flows.json", b"<b>secret", "the list of the flows in the queue log cannot be read"),
        (HANDSHAKES, b"<b>secret</b>, not a capture", "the capture of the handshakes cannot be read"),
    ],
)
def test_a_trial_that_cannot_be_read_becomes_a_failed_one(trial, tmp_path, capfd, name, content, reason):
    (trial / name).write_bytes(content)
    assert extract_command([str(trial), "-o", str(tmp_path / "refused")]) == 2
    assert not (tmp_path / "refused").exists()
    assert salvaged(trial, tmp_path / "out") == ("failed", reason)
    assert f"{trial}: {reason}; its tables are those of a failed trial\n" in capfd.readouterr().err
    for table in TABLES:
        assert b"secret" not in (tmp_path / "out" / f"{table}.parquet").read_bytes()
    assert pq.read_metadata(tmp_path / "out/packets.parquet").num_rows == 0


def test_the_published_copy_of_a_salvaged_trial_gives_the_same_tables(trial, tmp_path):
    (trial / "queue.bin.zst").write_bytes(b"nonsense")
    salvaged(trial, tmp_path / "out")
    clients = tmp_path / "out/clients.parquet"
    assert publish_command([str(trial), "-o", str(tmp_path / "public"), "--extracted", str(clients)]) == 0
    assert [path.name for path in (tmp_path / "public").iterdir()] == ["trial.json"]
    extract(tmp_path / "public", tmp_path / "again")
    for table in TABLES:
        one, other = (tmp_path / folder / f"{table}.parquet" for folder in ("out", "again"))
        assert one.read_bytes() == other.read_bytes(), table


def test_a_sound_trial_is_extracted_and_published_as_without_confinement(trial, tmp_path):
    assert salvaged(trial, tmp_path / "out") == ("completed", None)
    clients = tmp_path / "out/clients.parquet"
    assert publish_command([str(trial), "-o", str(tmp_path / "public"), "--extracted", str(clients)]) == 0
    extract(trial, tmp_path / "direct")
    publish(trial, tmp_path / "direct-public")
    for one, other in (("out", "direct"), ("public", "direct-public")):
        assert files_of(tmp_path / one) == files_of(tmp_path / other)
        assert len(files_of(tmp_path / one)) > 3
    assert {path.stat().st_uid for path in tmp_path.rglob("*")} == {os.geteuid()}
    assert not list(tmp_path.glob(".*"))


def test_an_unreadable_record_is_an_error_and_is_not_salvaged(trial, tmp_path, capfd):
    record = (trial / "trial.json").rename(tmp_path / "record")
    (trial / "trial.json").symlink_to(record)
    assert extract_command([str(trial), "-o", str(tmp_path / "out"), "--salvage"]) == 2
    assert "trial.json: is not a regular file" in capfd.readouterr().err
    (trial / "trial.json").unlink()
    (trial / "trial.json").write_text("{")
    assert extract_command([str(trial), "-o", str(tmp_path / "out"), "--salvage"]) == 2
    assert "trial.json: is not valid JSON" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_machine_without_tshark_fails_no_trial(trial, tmp_path, monkeypatch, capfd):
    write_compressed(trial / HANDSHAKES, capture([]))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert extract_command([str(trial), "-o", str(tmp_path / "out"), "--salvage"]) == 2
    assert "error: tshark: is not installed" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("queue.bin.zst", "the queue log"), ("qoe.json", "the observations of the drivers")],
)
def test_links_are_never_followed(trial, tmp_path, capfd, name, reason):
    (trial / name).unlink(missing_ok=True)
    (tmp_path / "secret").write_text("{}")
    (trial / name).symlink_to(tmp_path / "secret")
    with pytest.raises(LinkError, match=f"{name}: is not a regular file"):
        extract(trial, tmp_path / "direct")
    assert extract_command([str(trial), "-o", str(tmp_path / "out")]) == 2
    assert salvaged(trial, tmp_path / "out") == ("failed", f"{reason} cannot be read")
    assert publish_command([str(trial), "-o", str(tmp_path / "public")]) == 0
    assert not (tmp_path / "public" / name).exists()


def test_paths_may_be_relative(trial, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert extract_command(["trial", "-o", "new/out", "--captures", "trial"]) == 0
    clients = "new/out/clients.parquet"
    assert publish_command(["trial", "-o", "new/public", "--extracted", clients]) == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["out", "public"]


def test_private_files_can_be_read(trial, tmp_path):
    for path in trial.iterdir():
        path.chmod(0o600)
    trial.chmod(0o700)
    assert salvaged(trial, tmp_path / "out") == ("completed", None)


def test_a_trial_that_takes_too_long_is_ended_and_salvaged(trial, tmp_path, monkeypatch):
    """Tshark and pyshark take a minute for these names."""
    monkeypatch.setattr(confined, "SECONDS", 10)
    monkeypatch.setattr(confined, "SECONDS_A_MEGABYTE", 0)
    hello = client_hello("www.example.test")
    frames = [segment(True, 443, 1, hello, client_port=1000 + number) for number in range(15_000)]
    write_compressed(trial / HANDSHAKES, capture(list(enumerate(frames)), snaplen=65535))
    assert salvaged(trial, tmp_path / "out") == ("failed", "the files of the trial cannot be read")
    assert not list(tmp_path.glob(".*"))


def test_a_trial_that_needs_too_much_memory_is_salvaged(trial, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(confined, "ADDRESS_SPACE_BYTES", 3 << 29)
    with (trial / "senders.jsonl.zst").open("wb") as file, zstandard.open(file, "wb") as packed:
        for _ in range(100):
            packed.write(b" " * (1 << 24))
    assert extract_command([str(trial), "-o", str(tmp_path / "refused")]) != 0
    assert "MemoryError" in capfd.readouterr().err
    assert salvaged(trial, tmp_path / "out") == ("failed", "the files of the trial cannot be read")


def test_what_a_worker_must_not_make_is_refused(tmp_path):
    """Nothing but the expected regular files leaves its folder."""
    for plant in (
        lambda made: (made / "packets.parquet").symlink_to("/etc/passwd"),
        lambda made: (made / "packets.parquet").mkdir(),
        lambda made: os.mkfifo(made / "packets.parquet"),
        lambda made: [(made / name).write_text("") for name in ("packets.parquet", "another")],
        lambda made: None,
    ):
        with workshop(tmp_path / "out") as folder:
            (folder / MADE).mkdir()
            plant(folder / MADE)
            with pytest.raises(WorkerError):
                made_by_worker(folder, ["packets.parquet"])


def test_the_fault_that_a_worker_names_is_read_without_following_a_link(tmp_path):
    with workshop(tmp_path / "out") as folder:
        assert fault_of_worker(folder) is None
        (folder / FAULT).symlink_to("/etc/hostname")
        assert fault_of_worker(folder) is None
        (folder / FAULT).unlink()
        (folder / FAULT).write_text("queue.bin.zst")
        assert fault_of_worker(folder) == "queue.bin.zst"


def test_a_workshop_is_private_and_disappears(tmp_path):
    with workshop(tmp_path / "out") as folder:
        status = folder.stat()
        assert status.st_mode & 0o777 == 0o700
        assert status.st_dev == tmp_path.stat().st_dev
        assert status.st_uid == (FIRST_UID + READER if may_change_user() else os.geteuid())
    assert list(tmp_path.iterdir()) == []


def test_root_must_be_able_to_confine_and_others_are_warned(trial, tmp_path, monkeypatch, capfd):
    def refuse():
        raise UserError("bwrap: cannot confine a program here; allow user namespaces")

    monkeypatch.setattr(confined, "require_confinement", refuse)
    monkeypatch.setattr(confined.os, "geteuid", lambda: 0)
    assert extract_command([str(trial), "-o", str(tmp_path / "out"), "--salvage"]) == 2
    assert "error: bwrap: cannot confine" in capfd.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr(confined, "require_confinement", refuse)
    monkeypatch.setattr(confined.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(confined, "may_change_user", lambda: False)
    monkeypatch.setattr(confined, "_take", lambda *arguments: None)
    assert extract_command([str(trial), "-o", str(tmp_path / "out")]) == 0
    assert capfd.readouterr().err.startswith("warning: bwrap: cannot confine")
    assert json.loads(pq.read_metadata(tmp_path / "out/packets.parquet").metadata[b"captures"])
