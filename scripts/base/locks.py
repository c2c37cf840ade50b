"""Locks of folders and files (flock(2)), and scratch folders, each locked by the process that works in it.

The kernel releases a lock when its process ends.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from scripts.base.errors import UserError

LOCKS = Path("/proc/locks")
PREFIX = ".snapshot-"
"""How the names of scratch folders begin."""


@contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[int]:
    """Lock a folder, or a file, which is made if nothing is there; its descriptor.

    Raises:
        BlockingIOError: another process holds the lock, and `wait` is False.
    """
    how = os.O_RDONLY | os.O_DIRECTORY if path.is_dir() else os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, how, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    finally:
        os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether any process that is visible here holds the lock.

    The lock is not tried: who tries it at that moment would find it taken.
    """
    if not path.exists():
        return False
    locks = [line.split() for line in LOCKS.read_text(encoding="utf-8").splitlines()]
    return any(_is_of(path, fields[4], fields[5]) for fields in locks if fields[1] == "FLOCK")


def _is_of(path: Path, pid: str, file: str) -> bool:
    """Whether an entry of /proc/locks, which names `major:minor:inode`, is about this file.

    Some file systems (btrfs, overlayfs) have another device there than in stat(2), so what the holder has
    open decides.
    """
    held, (device, _, inode) = path.stat(), file.rpartition(":")
    if int(inode) != held.st_ino:
        return False
    try:
        return any(_is_same(held, opened) for opened in Path("/proc", pid, "fd").iterdir())
    except PermissionError:
        return device == f"{os.major(held.st_dev):02x}:{os.minor(held.st_dev):02x}"
    except FileNotFoundError:
        return False


def _is_same(held: os.stat_result, opened: Path) -> bool:
    try:
        return os.path.samestat(held, opened.stat())
    except OSError:
        return False


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
