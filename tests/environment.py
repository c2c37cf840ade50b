"""The environment of the processes that tests and benchmarks start."""

import os
import sys
from pathlib import Path


def search_path() -> str:
    """PATH as the Makefile sets it: the folder of this Python first, Debian's folders of servers last."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin", "/sbin"])


def own_loopback(number: int) -> str:
    """A loopback address that this function gives to no other process of the host; `number` is 1 or 2.

    Its last 22 bits are the process id, which has at most 22 bits on Linux.
    """
    pid = os.getpid()
    return f"127.{64 * number + (pid >> 16)}.{pid >> 8 & 255}.{pid & 255}"
