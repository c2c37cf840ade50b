"""The environment that tests and benchmarks give to what they start."""

import os
import sys
from pathlib import Path


def search_path() -> str:
    """PATH as the Makefile sets it: first what is beside this Python, last where Debian keeps servers."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin", "/sbin"])
