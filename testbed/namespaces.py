"""Another network namespace for this thread, for a moment. Sockets opened there stay there."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CLONE_NEWNET = 0x40000000
_CURRENT = Path("/proc/thread-self/ns/net")
_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def network_namespace(netns: Path) -> Iterator[None]:
    """Run the block in the network namespace of the file `netns` (setns(2); Python has it from 3.12 on)."""
    before = os.open(_CURRENT, os.O_RDONLY)
    try:
        _enter(netns)
        try:
            yield
        finally:
            _set(before)
    finally:
        os.close(before)


def _enter(netns: Path) -> None:
    namespace = os.open(netns, os.O_RDONLY)
    try:
        _set(namespace)
    finally:
        os.close(namespace)


def _set(descriptor: int) -> None:
    if _libc.setns(descriptor, CLONE_NEWNET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
