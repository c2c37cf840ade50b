"""What a killed test run leaves is ended and removed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from scripts.base.files import ROOT

RUN = """
import subprocess, sys, tempfile, time
from pathlib import Path
from tests.leftovers import Leftovers

leftovers = Leftovers(Path(sys.argv[1]))
Path(tempfile.gettempdir(), "file").touch()
script = "trap '' TERM; echo; sleep 600"
child = subprocess.Popen(["sh", "-c", script], start_new_session=True, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, tempfile.gettempdir(), flush=True)
if sys.argv[2] == "killed":
    time.sleep(600)
leftovers.end(keep=sys.argv[2] == "done")
"""
LONGEST_S = 60


@pytest.mark.parametrize("end", ["killed", "interrupted", "done"])
def test_nothing_stays_but_the_files_of_a_run_that_ended_by_itself(tmp_path, end):
    """The process that the run started is in a session of its own and ignores SIGTERM."""
    files = tmp_path / "files"
    files.mkdir()
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(files), end], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    number, temporary = run.stdout.readline().split()
    assert (Path(temporary) / "file").parent != Path(os.environ["TMPDIR"])
    if end == "killed":
        run.kill()
    run.wait(LONGEST_S)
    deadline = time.monotonic() + LONGEST_S
    while (psutil.pid_exists(int(number)) or Path(temporary).exists()) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    assert not psutil.pid_exists(int(number))
    assert (False, end == "done") == (Path(temporary).exists(), files.exists())
