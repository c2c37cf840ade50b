"""Child processes end with the process that started them. They are followed, limited and stopped here."""

import ctypes
import multiprocessing
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from typing import Any, NoReturn, TypeVar

ORDINARY = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TZ", "TMPDIR")
"""Patterns of the environment variables that programs need, and that hold no secrets."""

BLOCK_BYTES = 65536

Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1


def end_with_parent(signal_number: int = signal.SIGKILL) -> None:
    """Make the kernel send this process `signal_number` when its parent ends (prctl(2)).

    For a process itself, or for `initializer` of ProcessPoolExecutor. Programs start by `start_child`.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)


def exit_on(*signal_numbers: int) -> None:
    """Let these signals end this process like Ctrl-C: by an exception, so that its children end, too.

    The exit status is 128 + the number of the signal.
    """
    for number in signal_numbers:
        signal.signal(number, _exit)


def _exit(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def start_child(
    command: Sequence[str], at_end: int = signal.SIGKILL, **options: Any
) -> "subprocess.Popen[Any]":  # Any: text or bytes, as the options say.
    """Start a program that gets the signal `at_end` when this process ends.

    setpriv(1) asks the kernel for it. `preexec_fn` would copy the memory map of this process, 10 ms and more,
    and Python drops an exception that a signal raises meanwhile. A program that does not exist ends with
    status 127.

    Args:
        command: the program and its arguments.
        at_end: the signal.
        options: those of `subprocess.Popen`.
    """
    told = signal.Signals(at_end).name.removeprefix("SIG")
    return subprocess.Popen(["setpriv", "--pdeathsig", told, "--", *command], **options)


def environment_of(*patterns: str) -> dict[str, str]:
    """The variables of this process that match ORDINARY, or one of these patterns such as `LC_*`."""
    return {
        name: value
        for name, value in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in (*ORDINARY, *patterns))
    }


@contextmanager
def running(
    command: Sequence[str], stop: int = signal.SIGKILL, patience_s: float = 0.0, **options: Any
) -> Iterator["subprocess.Popen[Any]"]:
    """A program in a session of its own. Nothing of its process group is left after the block.

    Args:
        command: the program and its arguments.
        stop: the signal that its group gets if it still runs after the block.
        patience_s: the seconds that it has to end then. Its group is killed afterwards in any case.
        options: those of `start_child`.
    """
    child = start_child(command, **options, start_new_session=True)
    try:
        yield child
    finally:
        try:
            if child.poll() is None and patience_s:
                _signal_group(child, stop)
                with suppress(subprocess.TimeoutExpired):
                    child.wait(patience_s)
        finally:  # also after a second Ctrl-C
            _signal_group(child, signal.SIGKILL)
            child.wait()
            for stream in (child.stdin, child.stdout, child.stderr):
                if stream:
                    stream.close()


def _signal_group(child: "subprocess.Popen[Any]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)


def run_to_end(
    command: Sequence[str],
    limit_s: float | None = None,
    stop: int = signal.SIGKILL,
    patience_s: float = 0.0,
    **options: Any,
) -> "subprocess.CompletedProcess[Any]":
    """Run a program as `running` does, and wait for its end. Whatever ends this function ends the program.

    Raises:
        TimeoutExpired: it had not ended after `limit_s` seconds.
    """
    with running(command, stop, patience_s, **options) as child:
        output, errors = child.communicate(timeout=limit_s)
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


def output_until(source: int, ended: Callable[[], bool], every_s: float = 1.0) -> Iterator[bytes]:
    """What is written to a pipe or a terminal, until nobody can write to it any more.

    Args:
        source: the descriptor of the reading end.
        ended: whether the output ends with what is there now, though somebody could still write.
        every_s: after so many seconds without output, b"" is returned.
    """
    while True:
        last = ended()
        if not select.select([source], [], [], 0 if last else every_s)[0]:
            if last:
                return
            yield b""
            continue
        try:
            block = os.read(source, BLOCK_BYTES)
        except OSError:  # a terminal whose other side is closed
            return
        if not block:
            return
        yield block


def map_in_processes(
    work: Callable[..., Result], *items: Iterable[Any], processes: int, chunksize: int = 1
) -> Iterator[Result]:
    """As `map`, in so many processes that end with this one; in this one if they would be fewer than two.

    They are spawned: a forked one would share the threads of Arrow and of the renderer.
    """
    if processes < 2:
        yield from map(work, *items)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), end_with_parent) as pool:
        yield from pool.map(work, *items, chunksize=chunksize)
