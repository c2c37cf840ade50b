"""Trials that run in the background, and waiting for what they do."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import psutil

Found = TypeVar("Found")

SOON_S = 120
"""Within this time a trial reacts, however busy the machine is."""
TURN_S = 1800
"""Within this time a trial of others ends that runs on this host: longer than the paper's."""
POLL_S = 0.05


def wait_for(found: Callable[[], Found], what: str, timeout_s: float = SOON_S) -> Found:
    """The first true value of `found`.

    Raises:
        AssertionError: there was none in time.
    """
    deadline = time.monotonic() + timeout_s
    while not (value := found()):
        assert time.monotonic() < deadline, f"not within {timeout_s} s: {what}"
        time.sleep(POLL_S)
    return value


def command_of(process: psutil.Process) -> list[str]:
    """A process's command line; empty where it has ended."""
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def program_of(process: psutil.Process) -> str:
    """The name of the program that a process runs; empty where it has ended."""
    return Path((command_of(process) or [""])[0]).name


def all_end(processes: Iterable[psutil.Process]) -> bool:
    """Whether all of these processes end soon."""
    _, alive = psutil.wait_procs(list(processes), timeout=SOON_S)
    return alive == []


class RunningTrial:
    """A `python -m testbed run` in the background, and the processes it started."""

    def __init__(self, spec: Path, into: Path, environment: dict[str, str] | None = None) -> None:
        self.into = into
        self.process = subprocess.Popen(
            [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)],
            env=os.environ | (environment or {}),
        )

    def descendants(self) -> list[psutil.Process]:
        """Everything this trial has running."""
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.process.pid).children(recursive=True)
        return []

    def wait_for(self, program: str, *words: str) -> psutil.Process:
        """A program of this trial, once it runs with these words on its command line."""
        return wait_for(lambda: self._find(program, words), f"{program} runs", TURN_S)

    def _find(self, program: str, words: tuple[str, ...]) -> psutil.Process | None:
        assert self.process.poll() is None, f"the trial ended before {program} ran"
        for process in self.descendants():
            if program_of(process) == program and set(words) <= set(command_of(process)):
                return process
        return None

    def kill(self, number: signal.Signals) -> None:
        """Send the outermost process of the trial a signal."""
        self.process.send_signal(number)

    def end(self) -> None:
        """Kill what is left of the trial."""
        self.process.kill()
        self.process.wait()

    def record(self, timeout_s: float = SOON_S) -> dict[str, Any]:
        """The record of the trial, once it has ended by itself: within TURN_S if it may not have begun."""
        assert self.process.wait(timeout_s) == 0
        return json.loads((self.into / "trial.json").read_text())
