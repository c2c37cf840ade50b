"""The lock of unattended operation: one run at a time."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from scripts.base.locks import locked
from scripts.operate.context import Context

NAME = "lock"
LOCKED = 75
"""The exit status if another process holds a lock (EX_TEMPFAIL of sysexits.h: try again later)."""


class BusyError(Exception):
    """Another process works here."""


@contextmanager
def only_run(context: Context) -> Iterator[None]:
    """Hold data/operate/lock, in which the id of this process is.

    Raises:
        BusyError: another process holds it.
    """
    context.folder.mkdir(parents=True, exist_ok=True)
    path = context.folder / NAME
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(locked(path, wait=False))
        except BlockingIOError as error:
            holder = path.read_text(encoding="utf-8").strip() or "unknown"
            raise BusyError(f"{path}: another run is active, process {holder}") from error
        os.truncate(descriptor, 0)
        with suppress(OSError):  # a full disk
            os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
