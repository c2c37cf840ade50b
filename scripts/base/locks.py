"""Locks of folders."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(folder: Path, wait: bool = True) -> Iterator[None]:
    """Lock a folder. The kernel releases the lock when the process ends, however it ends.

    Raises:
        BlockingIOError: another process holds the lock, and `wait` is False.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
