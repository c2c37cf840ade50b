"""A program of an endpoint: a process group whose output is cut, which SIGTERM ends, or else SIGKILL."""

import ctypes
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import psutil

from scripts.base.processes import start_child
from scripts.model.endpoint import Endpoint, filled
from services.endpoint import STOP_S

LOG_BYTES = 1 << 20
"""What is kept of a program's output. The rest is read and dropped, so that the program never waits."""

PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_CHUNK_BYTES = 1 << 16
_ROUNDS = 100
_PR_SET_CHILD_SUBREAPER = 36


class Program:
    """A running program of an endpoint.

    Args:
        endpoint: the endpoint, in whose folder it runs.
        command: one of the endpoint's commands.
        words: the values of the command's placeholders.
        home: the folder for its files.
        log: the file for its output.

    Raises:
        FileNotFoundError: there is no such program.
    """

    def __init__(
        self, endpoint: Endpoint, command: Sequence[str], words: Mapping[str, object], home: Path, log: Path
    ) -> None:
        self._process = start_child(
            found_command(endpoint, filled(command, words)),
            cwd=endpoint.folder,
            env=environment(endpoint, home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        threading.Thread(target=_keep, args=(self._process.stdout, log), daemon=True).start()

    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    def stop(self) -> float:
        """End it and its process group. Returns the seconds that it ran after SIGTERM: STOP_S if killed."""
        began_s = time.monotonic()
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        taken_s = min(time.monotonic() - began_s, STOP_S)
        self._signal(signal.SIGKILL)
        self._process.wait()
        return taken_s

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


def environment(endpoint: Endpoint, home: Path) -> dict[str, str]:
    """The environment of an endpoint's programs: nothing of ours, and what endpoint.yaml names."""
    return {"PATH": PATH, "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", **endpoint.environment}


def found_command(endpoint: Endpoint, command: list[str]) -> list[str]:
    """A command with the path of its program, which is on PATH or, with a slash, in the endpoint's folder.

    Raises:
        FileNotFoundError: there is no such program.
    """
    name = str(endpoint.folder / command[0]) if "/" in command[0] else command[0]
    program = shutil.which(name, path=PATH)
    if program is None:
        raise FileNotFoundError(f"{command[0]}: there is no such program, or it is not executable")
    return [program, *command[1:]]


@contextmanager
def own_children() -> Iterator[None]:
    """In the block, this process adopts the processes that its children leave behind; then it kills all."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        kill_children()


def kill_children() -> int:
    """Kill all processes that this one started or adopted. Returns their number."""
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        children = psutil.Process().children(recursive=True)
        for child in children:
            killed.add(child.pid)
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, timeout=1)
        if not children:
            break
    return len(killed)


def _keep(output: IO[bytes], log: Path) -> None:
    """Append the beginning of a program's output to its log, until the program has closed it."""
    with output, log.open("ab") as file:
        left = LOG_BYTES - file.tell()
        while chunk := os.read(output.fileno(), _CHUNK_BYTES):
            if left > 0:
                file.write(chunk[:left])
                file.flush()
                left -= len(chunk)
                if left <= 0:
                    file.write(b"\n(the rest is cut)\n")
                    file.flush()
