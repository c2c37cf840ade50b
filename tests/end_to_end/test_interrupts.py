"""Ctrl-C, SIGTERM and `kill -9` of pytest, `make test` and `make demo` leave nothing, at any moment."""

import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from scripts.base.files import ROOT
from tests.end_to_end.running import wait_for
from tests.end_to_end.test_breaking import host_state

KILLS = 50
MARK = "OBSERVATORY_INTERRUPTED"
"""Environment variable that every process of one run inherits."""
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
COMMANDS = {
    "pytest": [*PYTEST, "tests/end_to_end/test_trial.py", "tests/hosts/test_measure.py"],
    "pytest in several processes": [*PYTEST, "-n", "2", "tests/hosts", "tests/simulated", "-m", "not soak"],
    "make test": ["make", "test"],
    "make demo": ["make", "demo", "cycle=interrupted", "data={folder}/data", "public={folder}/public"],
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
FIRST_S, LAST_S = 1, 40
"""When the signal comes after the start: `make test` runs trials only later, pytest alone at once."""


def processes(mark: str) -> list[str]:
    """The command lines of the processes of a run."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                found.append(" ".join(process.cmdline()))
    return found


def left_of(mark: str) -> list[str]:
    """The processes of a run that do not end soon."""
    with suppress(AssertionError):
        wait_for(lambda: not processes(mark), "every process ends")
    return processes(mark)


def temporary_files() -> set[str]:
    """What is in the folder of temporary files, but for pytest's folder of runs and its link to the last."""
    folder = Path(tempfile.gettempdir())
    found = [*folder.iterdir(), *folder.glob("pytest-of-*/*")]
    own = ("pytest-of-", "pytest-current", "garbage")
    return {str(path) for path in found if not path.name.startswith(own)}


def interrupt(run: subprocess.Popen, number: signal.Signals) -> None:
    """Ctrl-C reaches every process of the terminal, the others the outermost process."""
    with suppress(ProcessLookupError):
        if number == signal.SIGINT:
            os.killpg(run.pid, number)
        else:
            run.send_signal(number)
    run.wait()


@pytest.mark.soak(minutes=25)
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_left_whenever_it_is_interrupted(tmp_path, name):
    draw = random.Random(name)
    for attempt in range(-(-KILLS // len(COMMANDS))):
        number = SIGNALS[attempt % len(SIGNALS)]
        folder = tmp_path / str(attempt)
        folder.mkdir()
        before, files, mark = host_state(), temporary_files(), secrets.token_hex(8)
        run = subprocess.Popen(
            [word.format(folder=folder) for word in COMMANDS[name]],
            cwd=ROOT,
            env={**os.environ, MARK: mark},
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(draw.uniform(FIRST_S, LAST_S))
        interrupt(run, number)
        where = f"{name}, attempt {attempt}, {number.name}"
        assert [] == left_of(mark), where
        assert before == host_state(), where
        assert temporary_files() <= files, where
        assert not [path for path in folder.rglob("*") if ".partial" in path.name], where
        shutil.rmtree(folder)
