"""Programs that end with the process that started them."""

import subprocess
import sys

from scripts.base.files import ROOT

PROGRAM = """
import os
from scripts.base.processes import start_child

os.register_at_fork(before=lambda: print("forks"), after_in_parent=lambda: print("forked"))
start_child(["true"]).wait()
"""


def test_python_calls_nothing_while_a_child_starts():
    """It would drop the exception that a signal raises there."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, timeout=30)
    assert (0, b"") == (done.returncode, done.stdout)


def test_a_child_can_be_interrupted_and_ends_with_its_parent():
    program = "import sys, time; from scripts.base.processes import start_child"
    program += "; start_child(sys.argv[1:]); time.sleep(1)"
    command = ["sh", "-c", "grep SigBlk /proc/self/status; exec sleep 60"]
    done = subprocess.run(
        [sys.executable, "-c", program, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=30
    )
    assert done.returncode == 0, "what writes to the same pipe ended, too"
    assert "SigBlk:\t0000000000000000" in done.stdout
