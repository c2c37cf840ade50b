"""A driver's own files: a file system in memory with a quota, and what is kept of it.

The driver may be in the hands of a hostile page. No link in its folder is followed, only regular files are
read, and only after all its processes have ended.
"""

import json
import math
import os
import re
import stat
import subprocess
from pathlib import Path

from scripts.base.records import Json

FOLDER_BYTES = 1 << 30
"""A browser's profile takes 0.1 GB. A download of 1 Gbps brings 0.4 GB in three seconds, the longest time
between two releases of its memory."""

MOST_FILES = 100_000
KEPT_FILES = 10
KEPT_BYTES = 8 << 20
"""What is kept of a driver's files and log: as many files, and so many bytes of each."""

KEPT_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,60}")
RESULT = "qoe.json"
RESULT_BYTES = 4 << 20
"""More than the largest result: the curves of completeness of a campaign's most page loads."""

LARGEST_INTEGER = 2**63 - 1


class DriverFolder:
    """The files of one confined driver, at `path`.

    Attributes:
        home: the folder that the driver writes. It belongs to `uid`, or to this process if that is None.
        log: the file for its output, which it cannot reach by name. The quota contains it.
    """

    def __init__(self, path: Path, uid: int | None) -> None:
        self._path = path
        self._uid = uid
        self.home = path / "home"
        self.log = path / "driver.log"
        path.mkdir(parents=True)
        options = f"size={FOLDER_BYTES},nr_inodes={MOST_FILES},mode=0755,nosuid,nodev"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], check=True)
        self.home.mkdir(mode=0o700)
        self.give(self.home)

    def give(self, path: Path) -> None:
        """Give a file or a folder with all its files to the driver. Do so only before it starts."""
        for each in [path, *path.rglob("*")]:
            if self._uid is not None:
                os.chown(each, self._uid, self._uid, follow_symlinks=False)

    @property
    def is_full(self) -> bool:
        """Whether the quota of bytes or of files is used up."""
        found = os.statvfs(self._path)
        return found.f_bavail == 0 or found.f_favail == 0

    def record(self, name: str) -> dict[str, Json]:
        """The content of a JSON file of the driver, such as its RESULT.

        Raises:
            ValueError: there is none, or it is not a JSON object with ordinary numbers.
        """
        content = read_file(self.home, name, RESULT_BYTES + 1)
        if content is None or len(content) > RESULT_BYTES:
            raise ValueError(f"there is no {name}, or it is too long")
        try:
            found = json.loads(content, parse_constant=_number, parse_float=_number, parse_int=_integer)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if not isinstance(found, dict):
            raise ValueError("it is not an object")
        return found


def read_file(folder: Path, name: str, most_bytes: int) -> bytes | None:
    """The first bytes of a regular file; None if it is something else, or missing."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return None
    with os.fdopen(file, "rb") as stream:
        return stream.read(most_bytes)


def keep_files(folder: Path, into: Path) -> None:
    """Copy the beginnings of the regular files of a folder, if their names are plain."""
    kept = 0
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if KEPT_NAME.fullmatch(entry.name))
    for name in names:
        content = None if name == RESULT or kept == KEPT_FILES else read_file(folder, name, KEPT_BYTES)
        if content is not None:
            kept += 1
            into.mkdir(exist_ok=True)
            (into / name).write_bytes(content)


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number")
    return number


def _integer(text: str) -> int:
    number = int(text)
    if abs(number) > LARGEST_INTEGER:
        raise ValueError(f"{text[:30]} is too large")
    return number
