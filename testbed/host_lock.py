"""The lock of a host: only one trial runs on it at a time, and only while the host is as before.

The lock (flock(2)) belongs to an open file, which the runner and its keeper (testbed/keeper.py) share. The
kernel releases it when both have closed it, however they end.
"""

import fcntl
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

NAME = "internet-fairness-observatory.lock"
FOLDERS = (Path("/run/lock"), Path("/tmp"))
"""Folders in which every user may make files. The second is for machines that have no such first one."""


def alone_on_this_host() -> IO[bytes]:
    """Wait until no other trial runs on this host. Closing the result frees the lock."""
    began_s, announced = time.monotonic(), False
    while True:
        lock = _open()
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not announced:
                print("another trial is running on this host: waiting for it", file=sys.stderr, flush=True)
                announced = True
            fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_current(lock):
            if announced:
                waited_s = time.monotonic() - began_s
                print(f"waited {waited_s:.0f} s for another trial", file=sys.stderr, flush=True)
            return lock
        lock.close()  # Its file was deleted meanwhile, so that others lock another one.


def lock_path() -> Path:
    """The file that is locked."""
    for folder in FOLDERS:
        if (folder / NAME).exists() or (folder.is_dir() and os.access(folder, os.W_OK)):
            return folder / NAME
    return FOLDERS[-1] / NAME


def _open() -> IO[bytes]:
    """Open the file for reading, which every user may do, and create it only if it is missing.

    In a folder that everyone may write, the kernel may refuse O_CREAT for the file of another user
    (fs.protected_regular).
    """
    path = lock_path()
    while True:
        with suppress(FileNotFoundError):
            return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL)
            os.fchmod(descriptor, 0o644)
            os.close(descriptor)


def _is_current(lock: IO[bytes]) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(lock.fileno()), lock_path().stat())
    return False
