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

from scripts.base.confinement import FIRST_UID, READER, may_change_user
from scripts.base.errors import UserError
from scripts.extract import confined
from scripts.extract.__main__ import main as extract_command
from scripts.extract.confined import WorkerError, fault_of_worker, made_by_worker, workshop
from scripts.extract.jobs import FAULT, MADE
from tests.extract.synthetic import example_trial


@pytest.fixture
def trial(tmp_path):
    return example_trial().write(tmp_path / "trial")


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


def innermost(running):
    """The worker itself. The first of the programs that confine it is a Python until it execs."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        below = psutil.Process(running.pid).children(recursive=True)
        if len(below) > 1 and "python" in below[-1].name():
            return below[-1]
        time.sleep(0.02)
    raise TimeoutError("the worker did not start")


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
    assert extract_command([str(trial), "-o", str(tmp_path / "out")]) == 2
    assert "error: bwrap: cannot confine" in capfd.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr(confined, "require_confinement", refuse)
    monkeypatch.setattr(confined.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(confined, "may_change_user", lambda: False)
    monkeypatch.setattr(confined, "_take", lambda *arguments: None)
    assert extract_command([str(trial), "-o", str(tmp_path / "out")]) == 0
    assert capfd.readouterr().err.startswith("warning: bwrap: cannot confine")
    assert json.loads(pq.read_metadata(tmp_path / "out/packets.parquet").metadata[b"captures"])
