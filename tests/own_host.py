"""A host of this process's own: its trials run beside those of other processes of the tests.

Trials of one host take turns by a lock in /run/lock, and the keeper of a trial removes the control groups
that an earlier one left (testbed/host_lock.py, testbed/limits.py). Here both are in a mount namespace of this
process: an empty folder, and groups below those of the machine.
"""

import ctypes
import os
import subprocess
from contextlib import suppress
from pathlib import Path

CLONE_NEWNS = 0x00020000
LOCKS = Path("/run/lock")
CONTROLLERS = [Path("/sys/fs/cgroup", name) for name in ("memory", "pids")]
NAME = "observatory-tests-"


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
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNS)")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(LOCKS)], check=True)
    for own, folder in groups:
        subprocess.run(["mount", "--bind", str(own), str(folder)], check=True)


def remove_groups() -> None:
    """Remove the groups of processes that have ended."""
    for folder in (path for controller in CONTROLLERS for path in controller.glob(f"{NAME}*")):
        if not Path(f"/proc/{folder.name.removeprefix(NAME)}").exists():
            with suppress(OSError):
                folder.rmdir()
