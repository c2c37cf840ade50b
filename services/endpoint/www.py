"""The folder with the file that servers of endpoints may send. All share it, and none can write it.

It is on a disk. A server that maps the file into its memory would fill the folder of its driver, which is
memory: the holes of a sparse file take no space on a disk, but all of it in memory once they are mapped.
"""

import os
from pathlib import Path

from scripts.base.files import ROOT, replacing

FOLDER = ROOT / "build/www"
BIG = "big"
BIG_BYTES = 1 << 30
"""The bytes of BIG, all of them zeros. Some servers read the whole file into memory."""


def made_folder() -> Path:
    """The folder, which is made if it is missing."""
    big = FOLDER / BIG
    if not big.is_file():
        with replacing(big) as path, path.open("wb") as file:
            os.truncate(file.fileno(), BIG_BYTES)
    return FOLDER
