"""Empties a folder into which others put submissions.

    FOLDER/*.yaml, *.yml     what was put there
    FOLDER/.taken/<id>/      a file that is being added as the submission <id>
    FOLDER/refused/          refused files, each with <name>.reason.txt

A file is first moved to .taken/<id>/, so that a kill between storing and removing it adds it only once: the
next watch finds the submission <id> stored, or adds it under this id. Whoever fills the folder may be
hostile: links, pipes and devices stay, and no file is opened through a link.
"""

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.plain import plain, shown
from scripts.model.submission import read_submissions
from scripts.submissions.adding import Desk, add
from scripts.submissions.identities import IDENTITY, new_identity

TAKEN, REFUSED = ".taken", "refused"
NAMES = (".yaml", ".yml")
STILL_S = 2
"""A file that changed within so many seconds may still be growing."""
POLL_S = 10
MOST_NAME = 100


@dataclass(frozen=True)
class Watch:
    """A watched folder; `desk` makes the desk of each moment, `say` prints a line for each file."""

    folder: Path
    desk: Callable[[], Desk]
    say: Callable[[str], None]

    def forever(self, poll_s: float = POLL_S) -> None:
        """Empty the folder, again and again.

        Raises:
            UserError: the folder cannot be used.
        """
        while True:
            self.once()
            time.sleep(poll_s)

    def once(self) -> None:
        """Take what is whole.

        Raises:
            UserError: the folder cannot be used.
        """
        if not self.folder.is_dir():
            raise UserError(f"{self.folder}: is not a folder; make it")
        for name in (TAKEN, REFUSED):
            _own_folder(self.folder / name)
        for folder in sorted((self.folder / TAKEN).iterdir()):
            if IDENTITY.fullmatch(folder.name) and _is(folder, stat.S_ISDIR):
                self._finish(folder)
        for path in sorted(self.folder.iterdir()):
            if path.suffix.lower() in NAMES and not path.name.startswith(".") and _is_whole(path):
                folder = self.folder / TAKEN / new_identity()
                folder.mkdir(mode=0o700)
                path.rename(folder / path.name)
                self._finish(folder)

    def _finish(self, folder: Path) -> None:
        """Add a taken file under the id of its folder, unless it is stored."""
        for path in sorted(folder.iterdir()):
            self._take(path, folder.name)
        folder.rmdir()

    def _take(self, path: Path, identity: str) -> None:
        desk = self.desk()
        if all(one.id != identity for one in read_submissions(desk.data)):
            try:
                add(path, desk, identity)
            except UserError as error:
                self._refuse(path, str(error).removeprefix(f"{plain(str(path))}: "))
                return
        path.unlink()
        self.say(f"{shown(path.name)}: accepted as {identity}")

    def _refuse(self, path: Path, reason: str) -> None:
        """Move a file to refused/, with the reason beside it."""
        target = next(one for one in self._places(path.name) if not os.path.lexists(one))
        path.rename(target)
        with target.with_name(f"{target.name}.reason.txt").open("x", encoding="utf-8") as file:
            file.write(f"{reason}\n")
        self.say(f"{shown(path.name)}: refused: {reason}")

    def _places(self, name: str) -> Iterator[Path]:
        """Names in refused/: the file's own with letters that every shell can type, then with a number."""
        clean = re.sub(r"[^A-Za-z0-9._-]", "_", name)[-MOST_NAME:]
        yield self.folder / REFUSED / clean
        while True:
            yield self.folder / REFUSED / f"{new_identity()}-{clean}"


def _own_folder(path: Path) -> None:
    """Make a folder, and refuse a link that stands for it."""
    path.mkdir(mode=0o700, exist_ok=True) if not path.is_symlink() else None
    if not _is(path, stat.S_ISDIR):
        raise UserError(f"{path}: is not a folder of its own; remove it")


def _is_whole(path: Path) -> bool:
    """Whether a regular file has not changed for a while."""
    return _is(path, stat.S_ISREG) and time.time() - path.lstat().st_mtime >= STILL_S


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    """Whether the path itself, not what a link leads to, is of a kind."""
    try:
        return kind(path.lstat().st_mode)
    except OSError:
        return False
