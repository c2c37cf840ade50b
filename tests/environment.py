"""The environment that tests and benchmarks give to what they start."""

import os
import sys
from pathlib import Path


def search_path() -> str:
    """PATH as the Makefile sets it: first what is beside this Python, last where Debian keeps servers."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin", "/sbin"])


def own_loopback(number: int) -> str:
    """A loopback address that no other process of this host has from here; `number` is 1 or 2.

    Its last 22 bits are the process id, of which Linux has no more.
    """
    pid = os.getpid()
    return f"127.{64 * number + (pid >> 16)}.{pid >> 8 & 255}.{pid & 255}"
