"""The programs of this project that `make setup` compiles."""

import os
import shutil
import sys
from pathlib import Path

from scripts.base.errors import UserError


def built_program(name: str) -> str:
    """The path of a compiled program: beside this Python, or on PATH.

    Raises:
        UserError: it is not installed.
    """
    beside = Path(sys.executable).parent / name
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(name)
    if found is None:
        raise UserError(f"{name} is not installed; run `make setup`")
    return found
