"""Locks of folders, and scratch folders, which are locked by the process that works in them."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from scripts.base.errors import UserError

PREFIX = ".snapshot-"
"""How the names of scratch folders begin."""


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


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Lock a folder without waiting for it.

    Raises:
        UserError: another process works in it.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder, wait=False))
        except BlockingIOError:
            raise UserError(
                f"{folder}: another process works in it; wait for it, or name another folder"
            ) from None
        yield


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, removed at the end. Those of killed processes are removed first."""
    parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        with locked(parent):
            _remove_abandoned(parent)
            scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            stack.enter_context(locked(scratch))
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def remove_scratch(parent: Path) -> None:
    """Remove the scratch folders of killed processes."""
    with locked(parent):
        _remove_abandoned(parent)


def _remove_abandoned(parent: Path) -> None:
    """Remove the scratch folders that no process works in."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(BlockingIOError, FileNotFoundError), locked(folder, wait=False):
            shutil.rmtree(folder, ignore_errors=True)
