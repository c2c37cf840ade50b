"""Child processes that do not outlive the process that started them."""

import ctypes
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

_PR_SET_PDEATHSIG = 1


def end_with_parent(signal_number: int = signal.SIGKILL) -> None:
    """Make the kernel send this process `signal_number` when its parent ends (prctl(2)).

    For `preexec_fn` of subprocess and `initializer` of ProcessPoolExecutor, or for a process itself.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)


def end_with_make(signal_number: int = signal.SIGKILL) -> None:
    """The same for a program that make started: its shell ends with make. Otherwise nothing is done."""
    if "MAKELEVEL" in os.environ:
        end_with_parent(signal_number)


def drawing_pool(processes: int) -> ProcessPoolExecutor:
    """So many processes that end with this one.

    They are spawned: a forked one would share the threads of Arrow and of the renderer.
    """
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), end_with_parent)
