"""A cycle is measured in two places: it goes on in the second one from the lean snapshot of the first one."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.snapshot.identity import read_identity
from tests.end_to_end.running import TURN_S, wait_for
from tests.end_to_end.test_cycle import TRIALS, Cycle

NAME = "smoke-test"
ALLOWED = ("--allow", "unsigned", "--allow", "unchained")


def snapshot(*words: str | Path) -> str:
    """Run a command of snapshots, and return what it told."""
    command = [sys.executable, "-m", "scripts.snapshot", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.soak(minutes=4)
def test_a_cycle_is_finished_where_it_was_not_begun(tmp_path):
    first, second = Cycle(tmp_path / "first"), Cycle(tmp_path / "second")
    run = first.start()
    wait_for(lambda: len(first.measured()) > TRIALS // 2, "half of the trials are measured", TURN_S)
    first.end(run, "Ctrl-C")
    lean = tmp_path / "lean" / NAME
    assert "trials planned so far" in snapshot("freeze", first.data / "smoke/test", "--lean", "-o", lean)
    snapshot("resume", lean, second.data / "smoke/test")
    before = second.measured()
    assert len(first.measured()) == len(before)
    run = second.start()
    _, errors = run.communicate(timeout=TURN_S)
    assert run.returncode == 0, errors
    assert before.items() <= second.measured().items()
    assert len(second.measured()) == TRIALS + 1  # the second place has a calibration of its own
    published = second.data / "snapshots" / NAME
    assert ("lean", None) == (read_identity(published).kind, read_identity(published).incomplete)
    snapshot("verify", published, *ALLOWED)
    assert "identical: " in snapshot("reproduce", published, *ALLOWED)
    assert (
        "left out" in (second.public / "cycles/smoke/test/trials/8mbps/iperf-bbr/01/index.html").read_text()
    )
