"""Child processes that do not outlive the process that started them, and what they get of its environment."""

import ctypes
import multiprocessing
import os
import signal
import subprocess
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from typing import Any

ORDINARY = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TZ", "TMPDIR")
"""Patterns of the environment variables that programs need, and that hold no secrets."""

_PR_SET_PDEATHSIG = 1


def end_with_parent(signal_number: int = signal.SIGKILL) -> None:
    """Make the kernel send this process `signal_number` when its parent ends (prctl(2)).

    For a process itself, or for `initializer` of ProcessPoolExecutor. Programs start by `start_child`.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)


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


def run_to_end(command: Sequence[str], **options: Any) -> "subprocess.CompletedProcess[Any]":
    """Start a program by `start_child`, and wait for its end. Whatever ends this function kills it."""
    with start_child(command, **options) as child:
        try:
            output, errors = child.communicate()
        finally:
            child.kill()
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


def drawing_pool(processes: int) -> ProcessPoolExecutor:
    """So many processes that end with this one.

    They are spawned: a forked one would share the threads of Arrow and of the renderer.
    """
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), end_with_parent)
