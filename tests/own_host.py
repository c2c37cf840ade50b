"""What a process of the tests has for itself: a host for trials, or a disk in memory. Both need root.

Trials of one host take turns by a lock in /run/lock, and the keeper of a trial removes the control groups
that an earlier one left (testbed/host_lock.py, testbed/limits.py). Here both are in a mount namespace of this
process: an empty folder, and groups below those of the machine. So trials of several processes run at once.

To make and remove small files takes a tenth of the time in memory. Files there end with their namespace, and
count as memory of who writes them, so trials, whose programs have little, write to the disk.
"""

import ctypes
import os
import stat
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

CLONE_NEWNS = 0x00020000
LOCKS = Path("/run/lock")
CONTROLLERS = [Path("/sys/fs/cgroup", name) for name in ("memory", "pids")]
NAME = "observatory-tests-"
MEMORY_FOR_FILES = 8 * 2**30
"""Files are in memory if the machine has so many bytes to spare."""


def is_possible() -> bool:
    """Whether this is root, on a machine whose control groups are of version 1."""
    return os.geteuid() == 0 and all(folder.is_dir() for folder in CONTROLLERS)


def own_host() -> None:
    """Give the main thread of this process, and its children, locks and control groups of their own.

    Raises:
        OSError: the kernel refuses a namespace.
        subprocess.CalledProcessError: a mount is refused.
    """
    groups = [(folder / f"{NAME}{os.getpid()}", folder) for folder in CONTROLLERS]
    remove_groups()
    for own, _ in groups:
        own.mkdir()
    if not LOCKS.is_dir():  # on a machine that boots without Debian's scripts
        LOCKS.mkdir()
        LOCKS.chmod(0o1777)
    _own_mounts()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(LOCKS)], check=True)
    for own, folder in groups:
        subprocess.run(["mount", "--bind", str(own), str(folder)], check=True)


def keep_in_memory(folders: Iterable[Path]) -> None:
    """Let the main thread of this process, and its children, write the files of empty folders to memory.

    Without root, or on a machine with little memory, they write to the disk.

    Raises:
        OSError: the kernel refuses a namespace.
        subprocess.CalledProcessError: a mount is refused.
    """
    if os.geteuid() != 0 or psutil.virtual_memory().available < MEMORY_FOR_FILES:
        return
    _own_mounts()
    for folder in folders:
        mode = f"mode={stat.S_IMODE(folder.stat().st_mode):o}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", mode, "tmpfs", str(folder)], check=True)


def _own_mounts() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNS)")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def remove_groups() -> None:
    """Remove the groups of processes that have ended."""
    for folder in (path for controller in CONTROLLERS for path in controller.glob(f"{NAME}*")):
        if not Path(f"/proc/{folder.name.removeprefix(NAME)}").exists():
            with suppress(OSError):
                folder.rmdir()
