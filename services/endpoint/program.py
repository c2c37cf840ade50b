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

from scripts.base.plain import plain
from scripts.base.processes import start_child
from scripts.model.endpoint import Endpoint, filled, filled_values
from services.endpoint import STOP_S
from services.endpoint.image.container import image_command
from services.endpoint.image.unpacked import unpacked_folder

LOG_BYTES = 1 << 20
"""What is kept of a program's output. The rest is read and dropped, so that the program never waits."""

PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_CHUNK_BYTES = 1 << 16
_ROUNDS = 100
_POLL_S = 0.02
_FILES, _END_BYTES = 10, 2000
_PR_SET_CHILD_SUBREAPER = 36


class Program:
    """A running program of an endpoint.

    Args:
        command: the program, and its arguments.
        folder: the folder in which it runs.
        environment: its environment.
        log: the file for its output.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
    ) -> None:
        self._process = start_child(
            command,
            cwd=folder,
            env=environment,
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
        while self._runs() and time.monotonic() - began_s < STOP_S:
            time.sleep(_POLL_S)
        taken_s = min(time.monotonic() - began_s, STOP_S)
        self._signal(signal.SIGKILL)
        self._process.wait()
        return taken_s

    def _runs(self) -> bool:
        """Whether a process of its group still runs. Those without a parent are children of this one."""
        if self._process.poll() is None:
            return True
        with suppress(ChildProcessError):
            while os.waitpid(-self._process.pid, os.WNOHANG)[0]:
                pass
            return True
        return False

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


class ImageProgram(Program):
    """The same of an image. Its first process is bubblewrap, which ends with the image's own one."""

    def _signal(self, number: signal.Signals) -> None:
        if number != signal.SIGTERM:
            super()._signal(number)
            return
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)


def start_side(endpoint: Endpoint, side: str, words: Mapping[str, object], home: Path) -> Program:
    """Start the server or the client of an endpoint. Its output goes to a log in `home`.

    Args:
        endpoint: the endpoint.
        side: `server` or `client`.
        words: the values of the placeholders.
        home: the folder for its files.

    Raises:
        FileNotFoundError: there is no such program.
    """
    log = home / f"{side}.log"
    if endpoint.image is None:
        command = found_command(endpoint, filled(getattr(endpoint, side), words))
        return Program(command, endpoint.folder, environment(endpoint, words, home), log)
    added = filled_values(endpoint.environment, words)
    command = image_command(unpacked_folder(endpoint), side, words, added, home)
    return ImageProgram(command, home, usual_environment(home), log)


def usual_environment(home: Path) -> dict[str, str]:
    """The environment of a program of an endpoint: nothing of ours."""
    return {"PATH": PATH, "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8"}


def environment(endpoint: Endpoint, words: Mapping[str, object], home: Path) -> dict[str, str]:
    """The same with what endpoint.yaml names."""
    return {**usual_environment(home), **filled_values(endpoint.environment, words)}


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


@contextmanager
def kept_ends(logs: Path, log: Path) -> Iterator[None]:
    """After the block, add the ends of the files in the folder `logs` to a log, which is kept."""
    try:
        yield
    finally:
        files = [path for path in sorted(logs.iterdir()) if path.is_file() and not path.is_symlink()]
        for path in files[:_FILES]:
            with path.open("rb") as file, log.open("ab") as kept:
                file.seek(max(0, path.stat().st_size - _END_BYTES))
                kept.write(f"\n{plain(path.name)} ends:\n".encode() + file.read(_END_BYTES))


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
