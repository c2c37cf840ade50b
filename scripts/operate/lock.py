"""The lock of unattended operation: one run at a time. The kernel releases it when the process ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from scripts.operate.context import Context

NAME = "lock"


class BusyError(Exception):
    """Another process works here."""


@contextmanager
def alone(context: Context) -> Iterator[None]:
    """Hold data/operate/lock.

    Raises:
        BusyError: another process holds it.
    """
    context.folder.mkdir(parents=True, exist_ok=True)
    path = context.folder / NAME
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise BusyError(
                f"{path}: another run is active, process {lock.read().strip() or 'unknown'}"
            ) from error
        lock.truncate(0)
        with suppress(OSError):  # a full disk
            os.write(lock.fileno(), f"{os.getpid()}\n".encode())
        yield
