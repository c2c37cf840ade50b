"""Locks of folders and files."""

import os
import subprocess
import sys

import pytest

from scripts.base.files import ROOT
from scripts.base.locks import is_locked, locked

HOLDER = """
import sys
from pathlib import Path
from scripts.base.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path):
    """Another process that holds a lock until it ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"held\n"
    return process


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_lock_of_a_process_that_is_killed_is_released(tmp_path, kind):
    path = tmp_path if kind == "folder" else tmp_path / "lock"
    with holder(path) as other:
        assert is_locked(path)
        with pytest.raises(BlockingIOError), locked(path, wait=False):
            pass
        other.kill()
        other.wait()
    assert not is_locked(path)
    with locked(path):
        assert is_locked(path)


def test_the_file_of_a_lock_is_made_and_keeps_what_is_in_it(tmp_path):
    path = tmp_path / "lock"
    with locked(path) as descriptor:
        os.write(descriptor, b"17\n")
    with locked(path):
        assert path.read_text() == "17\n"


def test_what_does_not_exist_is_not_locked(tmp_path):
    assert not is_locked(tmp_path / "lock")
