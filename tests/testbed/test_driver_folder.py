"""What is read of a driver's folder, whatever a hostile page left there."""

import json
import os
import subprocess
import sys

import pytest

from testbed.driver_folder import KEPT_BYTES, RESULT, DriverFolder, keep_files

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it mounts a file system")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> DriverFolder:
    """A folder without its own file system."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    return DriverFolder(tmp_path / "use", None)


def test_a_result_is_an_object(folder):
    (folder.home / RESULT).write_text('{"received_bytes": 5, "seconds": 0.5}')
    assert {"received_bytes": 5, "seconds": 0.5} == folder.record(RESULT)


@pytest.mark.parametrize(
    "content",
    [
        "", "[1]", "{", '{"a": NaN}', '{"a": -Infinity}', '{"a": 1e999}', '{"a": 9223372036854775808}',
        "[" * 100_000, json.dumps({"a": "b" * (4 << 20)}), "\0",
    ],
    ids=range(10),
)  # fmt: skip
def test_another_result_is_refused(folder, content):
    (folder.home / RESULT).write_text(content)
    with pytest.raises(ValueError):
        folder.record(RESULT)


def test_a_result_that_is_no_file_is_refused(folder, tmp_path):
    with pytest.raises(ValueError):
        folder.record(RESULT)
    (tmp_path / "other.json").write_text("{}")
    (folder.home / RESULT).symlink_to(tmp_path / "other.json")
    with pytest.raises(ValueError):
        folder.record(RESULT)
    (folder.home / RESULT).unlink()
    os.mkfifo(folder.home / RESULT)
    with pytest.raises(ValueError):
        folder.record(RESULT)


def test_only_plain_files_are_kept_and_only_their_beginnings(folder, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (folder.home / "driver.log").write_text("line")
    (folder.home / "long.log").touch()
    os.truncate(folder.home / "long.log", 1 << 40)
    (folder.home / "link.log").symlink_to(tmp_path / "secret")
    (folder.home / "folder.log").mkdir()
    os.mkfifo(folder.home / "pipe.log")
    (folder.home / "a\nb.log").touch()
    (folder.home / RESULT).write_text("{}")
    keep_files(folder.home, tmp_path / "logs")
    found = {path.name: path.stat().st_size for path in (tmp_path / "logs").iterdir()}
    assert {"driver.log": 4, "long.log": KEPT_BYTES} == found


def test_few_files_are_kept(folder, tmp_path):
    for number in range(1000):
        (folder.home / f"{number}.log").touch()
    keep_files(folder.home, tmp_path / "logs")
    assert 10 == len(list((tmp_path / "logs").iterdir()))


@needs_root
def test_a_full_folder_is_seen_and_fills_nothing_else(tmp_path):
    script = """
import os, sys
from pathlib import Path
from testbed.driver_folder import FOLDER_BYTES, DriverFolder
folder = DriverFolder(Path(sys.argv[1]) / "use", 1_900_000_099)
assert not folder.is_full and folder.home.stat().st_uid == 1_900_000_099
with (folder.home / "file").open("wb") as file:
    try:
        os.posix_fallocate(file.fileno(), 0, FOLDER_BYTES + 1)
        sys.exit("the quota does not hold")
    except OSError:
        os.posix_fallocate(file.fileno(), 0, FOLDER_BYTES - (1 << 20))
try:
    folder.log.write_bytes(bytes(2 << 20))
    sys.exit("the log is outside the quota")
except OSError:
    assert folder.is_full
"""
    command = ["unshare", "--mount", sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
