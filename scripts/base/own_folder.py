"""Folders that only we can write: nobody else can fill them, exchange them, or lead them elsewhere.

Root must use no others: whoever owns a folder decides what root reads there, and where root writes. A folder
that passes stays as it is, because only those who are trusted can change what leads to it.
"""

import os
import pwd
import stat
from functools import cache
from grp import getgrgid
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT

MOST_LINKS = 40
"""As many symbolic links as the kernel follows (path_resolution(7))."""
OTHERS = stat.S_IWGRP | stat.S_IWOTH


def require_own(folder: Path) -> None:
    """Refuse a folder that somebody else can write or exchange. What does not exist yet cannot be judged.

    Trusted are root, this user, and the owner of the checkout, whose code this process runs. Every folder
    and link on the way must belong to one of them. Only a sticky folder, such as /tmp, may be writable by
    others, and only above the folder itself.

    Args:
        folder: the folder.

    Raises:
        UserError: the folder, or what leads to it, belongs to somebody else or is writable by others.
    """
    _require(Path(os.path.abspath(folder)), folder, MOST_LINKS)


def require_own_as_root(*folders: Path) -> None:
    """The same for folders that ordinary users may share with others, such as `data/`. Root must not.

    Raises:
        UserError: as `require_own`.
    """
    if os.geteuid() == 0:
        for folder in folders:
            require_own(folder)


def own_folder(folder: Path) -> Path:
    """The same, after the folder was made if it is missing. Then only this user can read it.

    Raises:
        UserError: as `require_own`, or the folder cannot be made.
    """
    require_own(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        problem = f"{folder}: cannot be made: {error.strerror}"
        raise UserError(f"{problem}; name a folder that {_name(os.geteuid())} can write") from error
    require_own(folder)
    return folder


def _require(path: Path, folder: Path, links: int) -> None:
    for part in [*reversed(path.parents), path]:
        try:
            found = part.lstat()
        except FileNotFoundError:
            return
        except OSError as error:
            raise UserError(f"{part}: {error.strerror}; name another folder than {folder}") from error
        if found.st_uid not in _trusted():
            owner = f"belongs to {_name(found.st_uid)}, who could change {folder}"
            raise UserError(f"{part}: {owner}; name a folder that nobody else can write")
        if stat.S_ISLNK(found.st_mode):
            if not links:
                raise UserError(f"{folder}: too many symbolic links; name the folder itself")
            rest = path.relative_to(part)
            target = Path(os.path.abspath(part.parent / os.readlink(part)))
            return _require(target / rest, folder, links - 1)
        if _writable_by_others(found) and not (found.st_mode & stat.S_ISVTX and part != path):
            problem = f"others can write it, and change {folder}" if part != path else "others can write it"
            raise UserError(f"{part}: {problem}; run chmod go-w on it, or name another folder")


def _trusted() -> frozenset[int]:
    return frozenset((0, os.geteuid(), ROOT.stat().st_uid))


def _writable_by_others(found: os.stat_result) -> bool:
    """Whether a file can be written by users who are not trusted. A user's own group has nobody else."""
    others = found.st_mode & OTHERS
    return bool(others & stat.S_IWOTH or (others and not _is_own_group(found.st_gid)))


@cache
def _is_own_group(group: int) -> bool:
    """Whether a group is the one of its name that Debian makes for each user, and nobody was added to it."""
    for user in _trusted():
        try:
            entry, named = pwd.getpwuid(user), getgrgid(group)
        except KeyError:
            continue
        if (entry.pw_gid, entry.pw_name) == (group, named.gr_name) and not {*named.gr_mem} - {entry.pw_name}:
            return True
    return False


def _name(user: int) -> str:
    """A user's name, or its number."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
