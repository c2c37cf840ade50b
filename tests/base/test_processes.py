"""Programs that end with the process that started them."""

import os
import signal
import subprocess
import sys
import time

import pytest

from scripts.base.files import ROOT
from scripts.base.processes import output_until, run_to_end, running

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


def is_alive(pid):
    """Whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pids):
    deadline_s = time.monotonic() + 20
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline_s
        time.sleep(0.05)


def test_the_group_of_a_program_ends_with_the_context(tmp_path):
    with running(["sh", "-c", f"sleep 1000 & echo $! $$ > {tmp_path}/pids; wait"]):
        while not (tmp_path / "pids").exists() or not (tmp_path / "pids").read_text():
            time.sleep(0.02)
    wait_until_gone((tmp_path / "pids").read_text().split())


def test_a_program_that_ended_leaves_nothing_in_the_background(tmp_path):
    done = run_to_end(["sh", "-c", f"sleep 1000 >/dev/null & echo $! > {tmp_path}/pid; exit 3"])
    assert done.returncode == 3
    wait_until_gone([(tmp_path / "pid").read_text().strip()])


def test_a_program_that_heeds_the_signal_ends_by_itself(tmp_path):
    ready, told = tmp_path / "ready", tmp_path / "told"
    script = f"trap 'echo stopped > {told}; exit 0' TERM; touch {ready}; while :; do sleep 0.05; done"
    with running(["sh", "-c", script], stop=signal.SIGTERM, patience_s=20) as child:
        while not ready.exists():
            time.sleep(0.02)
    assert (0, "stopped\n") == (child.returncode, told.read_text())


def test_a_program_that_ignores_the_signal_is_killed(tmp_path):
    script = f"trap '' TERM; touch {tmp_path}/ready; while :; do sleep 0.05; done"
    with running(["sh", "-c", script], stop=signal.SIGTERM, patience_s=0.3) as child:
        while not (tmp_path / "ready").exists():
            time.sleep(0.02)
    assert child.returncode == -signal.SIGKILL


def test_a_second_interruption_kills_a_program_that_has_time_to_end(tmp_path):
    script = f"trap '' TERM; echo $$ > {tmp_path}/pid; while :; do sleep 0.05; done"

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with (
            pytest.raises(KeyboardInterrupt),
            running(["sh", "-c", script], stop=signal.SIGTERM, patience_s=60),
        ):
            while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
                time.sleep(0.02)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
    finally:
        signal.signal(signal.SIGALRM, before)
    wait_until_gone([(tmp_path / "pid").read_text().strip()])


def test_a_program_that_takes_too_long_is_killed(tmp_path):
    with pytest.raises(subprocess.TimeoutExpired):
        run_to_end(["sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 1000"], limit_s=0.5)
    wait_until_gone([(tmp_path / "pid").read_text().strip()])


def test_output_comes_as_it_is_written_and_ends_with_the_program():
    """A process in the background, which could still write, does not keep the reader."""
    source, sink = os.pipe()
    with running(["sh", "-c", "echo one; sleep 1000 & echo two"], stdout=sink) as child:
        os.close(sink)
        blocks = list(output_until(source, lambda: child.poll() is not None, every_s=0.05))
    os.close(source)
    assert b"".join(blocks) == b"one\ntwo\n"


def test_a_program_that_says_nothing_lets_the_reader_look_about():
    source, sink = os.pipe()
    with running(["sleep", "1000"], stdout=sink):
        os.close(sink)
        assert next(output_until(source, lambda: False, every_s=0.05)) == b""
    os.close(source)
