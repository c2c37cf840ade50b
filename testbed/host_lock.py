"""The locks of a host: a trial runs alone on it, or up to four run at once that all allow it.

A lock (flock(2)) belongs to an open file, which the runner and its keeper (testbed/keeper.py) share. The
kernel releases it when both have closed it, however they end. A trial alone locks the host. Trials that may
run at once share that lock, and each locks a place on the host. The first that waits has another lock, for
which the others wait: so none that has just freed the host gets it again before.
"""

import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

PREFIX = "internet-fairness-observatory"
NAME, FIRST = f"{PREFIX}.lock", f"{PREFIX}.first.lock"
FOLDERS = (Path("/run/lock"), Path("/tmp"))
"""Folders in which every user may make files. The second is for machines that have no such first one."""

PLACES = (1, 2, 3, 4)
POLL_S = 0.1

Lock = IO[bytes]
Found = TypeVar("Found")


@dataclass(frozen=True)
class HostPlace:
    """Where a trial runs on this host. What it makes outside its namespaces has the number of the place.

    Attributes:
        number: one of PLACES.
        own: the places that no other trial can have meanwhile: all of them, or only this one.
        locks: the open files with the locks.
    """

    number: int
    own: tuple[int, ...]
    locks: tuple[Lock, ...]


@contextmanager
def place_on_this_host(parallel: int) -> Iterator[HostPlace]:
    """Wait for a place on this host, and keep it for the block.

    Args:
        parallel: how many trials may run at once; 1: this one runs alone.
    """
    if parallel == 1:
        with exclusive_host_lock() as host:
            yield HostPlace(PLACES[0], PLACES, (host,))
        return
    with _awaited(lambda: _locked(NAME, fcntl.LOCK_SH)) as host:
        number, lock = _awaited(lambda: _free_place(PLACES[:parallel]))
        with lock:
            yield HostPlace(number, (number,), (host, lock))


def exclusive_host_lock() -> Lock:
    """Wait until no other trial runs on this host. Closing the result frees the lock."""
    return _awaited(lambda: _locked(NAME, fcntl.LOCK_EX))


def lock_path(name: str = NAME) -> Path:
    """The file that is locked."""
    for folder in FOLDERS:
        if (folder / name).exists() or (folder.is_dir() and os.access(folder, os.W_OK)):
            return folder / name
    return FOLDERS[-1] / name


def _awaited(attempt: Callable[[], Found | None]) -> Found:
    """Repeat an attempt, as the first that waits, until it returns something. The operator sees a message."""
    began_s, announced = time.monotonic(), False
    first, found = _locked(FIRST, fcntl.LOCK_EX), None
    while first is None or (found := attempt()) is None:
        if not announced:
            print("another trial is running on this host: waiting for it", file=sys.stderr, flush=True)
            announced = True
        time.sleep(POLL_S)
        first = first or _locked(FIRST, fcntl.LOCK_EX)
    first.close()
    if announced:
        waited_s = time.monotonic() - began_s
        print(f"waited {waited_s:.0f} s for another trial", file=sys.stderr, flush=True)
    return found


def _free_place(numbers: tuple[int, ...]) -> tuple[int, Lock] | None:
    for number in numbers:
        if lock := _locked(f"{PREFIX}.{number}.lock", fcntl.LOCK_EX):
            return number, lock
    return None


def _locked(name: str, how: int) -> Lock | None:
    """The locked file; None if somebody else has the lock."""
    lock = _open(name)
    with suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(lock, how | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock.fileno()), lock_path(name).stat()):
            return lock
    lock.close()  # Or the file was deleted meanwhile, so that others lock another one.
    return None


def _open(name: str) -> Lock:
    """Open the file for reading, which every user may do, and create it only if it is missing.

    In a folder that everyone may write, the kernel may refuse O_CREAT for the file of another user
    (fs.protected_regular).
    """
    path = lock_path(name)
    while True:
        with suppress(FileNotFoundError):
            return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL)
            os.fchmod(descriptor, 0o644)
            os.close(descriptor)
