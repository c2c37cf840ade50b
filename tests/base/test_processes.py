"""Programs that end with the process that started them."""

import signal
import subprocess
import sys

import pytest

from scripts.base.files import ROOT

PROGRAM = """
import os, signal, subprocess, sys
from scripts.base.processes import start_child

def end(number, frame):
    sys.exit(128 + number)

signal.signal(signal.SIGTERM, end)
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), {number}))
try:
    started = start_child(["sleep", "60"])
finally:
    print("ends", flush=True)
started.wait()
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, -signal.SIGINT)])
def test_a_signal_that_comes_while_a_child_starts_is_not_lost(number, status):
    """Python calls functions after each fork, and drops an exception that a signal raises in one."""
    program = PROGRAM.format(number=int(number))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, timeout=30)
    assert (status, b"ends\n") == (done.returncode, done.stdout)


def test_a_child_can_be_interrupted_and_ends_with_its_parent():
    program = "import sys, time; from scripts.base.processes import start_child"
    program += "; start_child(sys.argv[1:]); time.sleep(1)"
    command = ["sh", "-c", "grep SigBlk /proc/self/status; exec sleep 60"]
    done = subprocess.run(
        [sys.executable, "-c", program, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=30
    )
    assert done.returncode == 0, "what writes to the same pipe ended, too"
    assert "SigBlk:\t0000000000000000" in done.stdout
