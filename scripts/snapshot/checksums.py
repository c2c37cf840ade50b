"""SHA256SUMS of a folder, in the format of sha256sum(1).

It lists every file but itself, the signatures, tombstone.json, which tells what was removed since
(tombstone.py), and pruned.json, which tells what is published elsewhere only (pruned.py).
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.snapshot.pruned import NAME as PRUNED
from scripts.snapshot.pruned import read_pruned
from scripts.snapshot.tombstone import NAME as TOMBSTONE
from scripts.snapshot.tombstone import read_tombstone

NAME = "SHA256SUMS"
SIGNATURE = ".sig"
"""A signature is in the file of this name after that of what is signed."""
UNLISTED = frozenset(map(Path, (NAME, NAME + SIGNATURE, TOMBSTONE, TOMBSTONE + SIGNATURE, PRUNED)))
"""What SHA256SUMS does not list."""


def files_of(folder: Path) -> list[Path]:
    """Every file in `folder` and its subfolders that SHA256SUMS lists, relative to `folder`, sorted."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if path not in UNLISTED)


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests(folder: Path) -> dict[Path, str]:
    """The SHA-256 of every file that SHA256SUMS lists."""
    return {path: digest(folder / path) for path in files_of(folder)}


def write_checksums(folder: Path, known: Mapping[Path, str] | None = None) -> None:
    """Write SHA256SUMS for all files in `folder`; checksums that are known already are not computed again."""
    sums = known or {}
    lines = [f"{sums.get(path) or digest(folder / path)}  {path.as_posix()}\n" for path in files_of(folder)]
    write_text(folder / NAME, "".join(lines))


def read_checksums(folder: Path) -> dict[Path, str]:
    """The checksum of every file that SHA256SUMS lists.

    Raises:
        UserError: SHA256SUMS is missing or wrong.
    """
    try:
        lines = (folder / NAME).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"{folder / NAME}: cannot be read: {error.strerror}; is this a snapshot?") from error
    parts = [line.split("  ", 1) for line in lines]
    if any(len(part) != 2 for part in parts):
        raise UserError(f"{folder / NAME}: is not in the format of sha256sum; fetch the snapshot again")
    return {Path(name): checksum for checksum, name in parts}


def verify_checksums(folder: Path) -> int:
    """Check every file against SHA256SUMS. Those in tombstone.json must be absent; pruned ones may be.

    Returns:
        The number of files that were checked.

    Raises:
        UserError: a file is missing, changed or not listed, a removal is incomplete, or SHA256SUMS is missing
            or wrong.
    """
    listed = read_checksums(folder)
    removed = _removed(folder, listed)
    present = set(files_of(folder))
    pruned = pruned_files(folder, listed) - removed
    for path in sorted(present | listed.keys()):
        if path in removed:
            if path in present:
                raise UserError(f"{folder / path}: its removal is incomplete; run remove again")
        elif path in pruned:
            continue
        elif path not in present:
            raise UserError(f"{folder / path}: is missing; fetch the snapshot again")
        elif path not in listed:
            raise UserError(f"{folder / path}: is not in {NAME}; remove it, or fetch the snapshot again")
        elif digest(folder / path) != listed[path]:
            raise UserError(f"{folder / path}: does not match {NAME}; fetch the snapshot again")
    return len(listed) - len(removed) - len(pruned)


def pruned_files(folder: Path, listed: Mapping[Path, str]) -> set[Path]:
    """The files of trials in SHA256SUMS that pruned.json excuses, because they are not on this disk."""
    if read_pruned(folder) is None:
        return set()
    return {path for path in listed if path.parts[0] == "trials" and not (folder / path).exists()}


def _removed(folder: Path, listed: Mapping[Path, str]) -> set[Path]:
    """The files that tombstone.json names; it excuses no file but those of trials."""
    removed = {Path(one.path): one.sha256 for one in read_tombstone(folder).removed}
    for path, checksum in removed.items():
        if listed.get(path) != checksum or path.parts[0] != "trials":
            raise UserError(f"{folder / TOMBSTONE}: {path} is no file of a trial in {NAME}; fetch it again")
    return set(removed)
