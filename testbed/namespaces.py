"""Another network namespace for this thread, for a moment: what is opened there stays there."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CLONE_NEWNET = 0x40000000
_OWN = Path("/proc/thread-self/ns/net")
_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def inside(netns: Path) -> Iterator[None]:
    """Be in the network namespace that the file `netns` names (setns(2), which Python has from 3.12 on)."""
    own = os.open(_OWN, os.O_RDONLY)
    try:
        _enter(netns)
        try:
            yield
        finally:
            _set(own)
    finally:
        os.close(own)


def _enter(netns: Path) -> None:
    there = os.open(netns, os.O_RDONLY)
    try:
        _set(there)
    finally:
        os.close(there)


def _set(descriptor: int) -> None:
    if _libc.setns(descriptor, CLONE_NEWNET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
