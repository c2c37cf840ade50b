"""Empties a folder into which others put submissions.

    FOLDER/*.yaml, *.yml               what was put there
    data/submissions/taken/<id>/       a file that is being added as the submission <id>
    data/submissions/refused/          refused files, each with <name>.reason.txt

A file is first moved to taken/<id>/, so that a kill between storing and removing it adds it only once: the
next watch finds the submission <id> stored, or adds it under this id. Whoever fills the folder may be
hostile: links, pipes and devices stay, no file is opened through a link, and the folder is one open directory
from the first look to the last move.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.own_folder import own_folder
from scripts.base.plain import plain, shown
from scripts.model.submission import FOLDER, read_submissions
from scripts.submissions.adding import Desk, add
from scripts.submissions.identities import IDENTITY, new_identity

TAKEN, REFUSED = "taken", "refused"
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
        taken = own_folder(self._own / TAKEN)
        own_folder(self._own / REFUSED)
        for folder in sorted(taken.iterdir()):
            if IDENTITY.fullmatch(folder.name):
                self._finish(folder)
        with _opened(self.folder) as inbox:
            for name in sorted(os.listdir(inbox)):
                if name.lower().endswith(NAMES) and not name.startswith(".") and _is_whole(name, inbox):
                    folder = own_folder(taken / new_identity())
                    self._move(name, inbox, folder)
                    self._finish(folder)

    @property
    def _own(self) -> Path:
        return self.desk().data / FOLDER

    def _move(self, name: str, inbox: int, folder: Path) -> None:
        """Move a file out of the watched folder, unless it is gone."""
        try:
            os.rename(name, folder / name, src_dir_fd=inbox)
        except FileNotFoundError:
            pass
        except OSError as error:
            folder.rmdir()
            if error.errno != errno.EXDEV:
                raise
            problem = f"{self.folder}: is on another disk than {folder.parent}"
            raise UserError(f"{problem}; watch a folder on the same disk") from error

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
        yield self._own / REFUSED / clean
        while True:
            yield self._own / REFUSED / f"{new_identity()}-{clean}"


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """The watched folder as an open directory.

    Raises:
        UserError: it is no folder, a link, or belongs to another user, who could exchange what root moves.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        problem = "is a link; name the folder itself" if folder.is_symlink() else "is not a folder; make it"
        raise UserError(f"{folder}: {problem}") from error
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise UserError(f"{folder}: belongs to another user; run watch as that user, or give it to yours")
        yield descriptor
    finally:
        os.close(descriptor)


def _is_whole(name: str, folder: int) -> bool:
    """Whether a regular file of an open folder, and no link to one, has not changed for a while."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and time.time() - found.st_mtime >= STILL_S
