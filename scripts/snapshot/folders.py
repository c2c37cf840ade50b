"""Folders that one process works in at a time."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.locks import locked

PREFIX = ".snapshot-"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock a folder.

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
def workplace(folder: Path) -> Iterator[Path]:
    """A new folder in `folder`, removed at the end. Those of killed processes are removed first."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        with locked(folder):
            _remove_abandoned(folder)
            scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
            stack.enter_context(locked(scratch))
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def remove_scratch(folder: Path) -> None:
    """Remove the scratch folders of killed processes."""
    with locked(folder):
        _remove_abandoned(folder)


def _remove_abandoned(folder: Path) -> None:
    """Remove the scratch folders that no process works in."""
    for left in folder.glob(f"{PREFIX}*"):
        with suppress(BlockingIOError, FileNotFoundError), locked(left, wait=False):
            shutil.rmtree(left, ignore_errors=True)
