"""Whether a process holds a lock of flock(2).

The lock is not tried: a run that starts at that moment would find it taken.
"""

import os
from pathlib import Path

LOCKS = Path("/proc/locks")


def is_held(path: Path) -> bool:
    """Whether any process that is visible here holds the lock."""
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
