"""Child processes of a run: their lines, the reason why they failed, and their end."""

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from scripts.operate import children
from scripts.operate.children import ChildError, reason_of, run_child
from tests.operate.fake_actions import Host


@pytest.fixture
def context(tmp_path):
    return Host(tmp_path).context


def shell(text):
    return ["bash", "-c", text]


def is_alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid):
    deadline = time.monotonic() + 20
    while is_alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_lines_are_shown_and_kept(context, capfd):
    run_child(context, shell("echo one; echo two >&2; printf three"))
    assert capfd.readouterr().err == "one\ntwo\nthree"
    log = (context.folder / "operate.log").read_text().splitlines()
    assert [line.split(" ", 1)[1] for line in log] == ["one", "two", "three"]


def test_the_reason_is_the_error_of_the_child(context):
    with pytest.raises(ChildError, match=r"^config: is wrong$") as caught:
        run_child(context, shell("echo working; echo 'error: config: is wrong' >&2; exit 2"))
    assert caught.value.status == 2


def test_the_reason_has_the_end_of_the_log_of_a_failed_job():
    lines = [
        "charts: done",
        "error: tables failed:",
        "    first",
        "    no such column",
        "    log: a.log",
        "valid: 3",
    ]
    assert reason_of(lines, 1) == "tables failed; no such column; log: a.log"


def test_without_an_error_the_reason_is_the_last_line_or_the_signal():
    assert reason_of(["one", "two", ""], 3) == "ended with status 3: two"
    assert reason_of([], 3) == "ended with status 3: it said nothing"
    assert len(reason_of(["a list of files " * 1000], 3)) < 350
    assert reason_of(["one"], -9) == "was killed by signal 9 (Killed)"


def test_an_error_during_the_child_ends_it_and_its_jobs(context, monkeypatch, tmp_path):
    monkeypatch.setattr(children, "DURING_S", 0.2)
    pids = tmp_path / "pids"

    def stop():
        if pids.is_file() and len(pids.read_text().split()) == 2:
            raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        run_child(context, shell(f"sleep 1000 & echo $! $$ > {pids}; wait"), during=stop)
    for pid in pids.read_text().split():
        wait_until_gone(int(pid))


def test_a_job_that_the_child_leaves_does_not_keep_the_run(context):
    began = time.monotonic()
    run_child(context, shell("sleep 1000 & echo $!"))
    assert time.monotonic() - began < 30
    wait_until_gone(int((context.folder / "operate.log").read_text().split()[-1]))


RUN = """
import sys
from pathlib import Path
from scripts.operate.children import run_child
from tests.operate.fake_actions import Host
run_child(Host(Path(sys.argv[1])).context, ["bash", "-c", sys.argv[2]])
"""


def test_the_child_dies_with_the_run(tmp_path):
    pid = tmp_path / "pid"
    run = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path), f"echo $$ > {pid}; exec sleep 1000"])
    while not (pid.is_file() and pid.read_text().strip()):
        assert run.poll() is None
        time.sleep(0.05)
    run.kill()
    run.wait()
    wait_until_gone(int(pid.read_text()))


def test_on_a_terminal_the_child_has_one_and_the_log_has_the_last_text_of_each_line(tmp_path):
    host, terminal = pty.openpty()
    text = "[ -t 2 ] && printf 'half\\r\\033[2Kwhole\\n' >&2"
    run = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path), text], stdout=terminal, stderr=terminal)
    os.close(terminal)
    assert run.wait(60) == 0
    os.close(host)
    assert (tmp_path / "data/operate/operate.log").read_text().rstrip().endswith("Z whole")


def test_an_interrupted_run_interrupts_its_child(tmp_path):
    ready, told = tmp_path / "ready", tmp_path / "told"
    text = f"trap 'echo interrupted > {told}; exit' INT; touch {ready}; while :; do sleep 0.1; done"
    run = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path), text], stderr=subprocess.DEVNULL)
    while not ready.exists():
        assert run.poll() is None
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    run.wait(60)
    assert told.read_text() == "interrupted\n"
