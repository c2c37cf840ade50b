"""Empties a folder into which others put submissions.

    FOLDER/*.yaml, *.yml                  what was put there
    data/submissions/taken/<id>/          a file that is being added as the submission <id>
    data/submissions/refused/             refused files, each with <name>.reason.txt

A file is first moved to taken/<id>/, so that a kill between storing and removing it adds it only once: the
next watch finds the submission <id> stored, or adds it under this id. Whoever fills the folder may be
hostile, and may exchange everything in it at any moment. So it is opened once in a round and used by its
descriptor, and everything else is in a folder that only we can enter. Links, pipes and devices stay, and no
file is opened through a link.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.plain import plain, shown
from scripts.model.submission import FOLDER, read_submissions
from scripts.operate.submissions.desk import Desk, add
from scripts.operate.submissions.records import new_identity

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
        own = self.desk().data / FOLDER
        for made in (own, own / TAKEN, own / REFUSED):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in sorted((own / TAKEN).iterdir()):
            self._finish(folder)
        with _opened(self.folder) as inbox:
            for name in sorted(os.listdir(inbox)):
                if name.lower().endswith(NAMES) and not name.startswith(".") and _is_whole(name, inbox):
                    folder = own / TAKEN / new_identity()
                    folder.mkdir(mode=0o700)
                    self._move(name, inbox, folder)
                    self._finish(folder)

    def _move(self, name: str, inbox: int, folder: Path) -> None:
        """Move a file, unless it is gone, out of the open folder."""
        with _opened(folder) as target, suppress(FileNotFoundError):
            try:
                os.rename(name, name, src_dir_fd=inbox, dst_dir_fd=target)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                folder.rmdir()
                problem = f"{self.folder}: is on another disk than {folder.parent}"
                raise UserError(f"{problem}; watch a folder on the same one") from error

    def _finish(self, folder: Path) -> None:
        """Add a taken file under the id of its folder, unless it is stored."""
        for path in sorted(folder.iterdir()):
            self._take(path, folder.name)
        folder.rmdir()

    def _take(self, path: Path, identity: str) -> None:
        desk = self.desk()
        if all(submission.id != identity for submission in read_submissions(desk.data)):
            try:
                add(path, desk, identity)
            except UserError as error:
                self._refuse(path, str(error).removeprefix(f"{plain(str(path))}: "))
                return
        path.unlink()
        self.say(f"{shown(path.name)}: accepted as {identity}")

    def _refuse(self, path: Path, reason: str) -> None:
        """Move a file to refused/, with the reason beside it."""
        target = next(place for place in _places(path) if not os.path.lexists(place))
        path.rename(target)
        with target.with_name(f"{target.name}.reason.txt").open("x", encoding="utf-8") as file:
            file.write(f"{reason}\n")
        self.say(f"{shown(path.name)}: refused: {reason}")


def _places(path: Path) -> Iterator[Path]:
    """Names in refused/: the file's own with letters that every shell can type, then with a number."""
    refused = path.parents[2] / REFUSED
    clean = re.sub(r"[^A-Za-z0-9._-]", "_", path.name)[-MOST_NAME:]
    yield refused / clean
    while True:
        yield refused / f"{new_identity()}-{clean}"


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """The descriptor of a folder of this user.

    Raises:
        UserError: it is missing, a link, or a folder of another user.
    """
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(
            f"{folder}: is a link or is not a folder; make it, or name the folder itself"
        ) from error
    try:
        if os.fstat(opened).st_uid != os.geteuid():
            problem = f"{folder}: belongs to another user, who can exchange what is in it"
            raise UserError(f"{problem}; run watch as this user, or make the folder yours (chown)")
        yield opened
    finally:
        os.close(opened)


def _is_whole(name: str, folder: int) -> bool:
    """Whether a regular file, and no link to one, has not changed for a while."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime >= STILL_S
