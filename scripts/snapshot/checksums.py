"""SHA256SUMS of a folder of this machine: written, read, and compared with its files (listing.py)."""

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.snapshot.contents import file_problems
from scripts.snapshot.listing import NAME as NAME
from scripts.snapshot.listing import SIGNATURE as SIGNATURE
from scripts.snapshot.listing import UNLISTED as UNLISTED
from scripts.snapshot.listing import parse_listing
from scripts.snapshot.problems import refuse
from scripts.snapshot.pruned import read_pruned
from scripts.snapshot.source import TRIALS, Folder, Source, read_if_there
from scripts.snapshot.tombstone import NAME as TOMBSTONE
from scripts.snapshot.tombstone import Tombstone, read_tombstone


def files_of(folder: Path) -> list[Path]:
    """Every file in `folder` and its subfolders that SHA256SUMS lists, relative to `folder`, sorted."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if PurePosixPath(path) not in UNLISTED)


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
    return {Path(path): checksum for path, checksum in read_listing(Folder(folder)).items()}


def read_listing(source: Source) -> dict[PurePosixPath, str]:
    """The checksum of every file that the SHA256SUMS of a snapshot lists; errors as in `read_checksums`."""
    return parse_listing(read_sums(source), f"{source.title}/{NAME}")


def read_sums(source: Source) -> bytes:
    """The SHA256SUMS of a snapshot.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    content = read_if_there(source, PurePosixPath(NAME))
    if content is None:
        file = f"{source.title.rstrip('/')}/{NAME}"
        raise UserError(f"{file}: cannot be read: No such file or directory; is this a snapshot?")
    return content


def verify_checksums(folder: Path) -> int:
    """Check every file against SHA256SUMS. Those in tombstone.json must be absent; pruned ones may be.

    Returns:
        The number of files that were checked.

    Raises:
        UserError: a file is missing, changed or not listed, a removal is incomplete, or SHA256SUMS is missing
            or wrong.
    """
    listed = read_listing(Folder(folder))
    removed = removed_files(read_tombstone(folder), listed, str(folder))
    pruned = pruned_files(folder, listed) - removed
    refuse(file_problems(Folder(folder), listed, removed, pruned))
    return len(listed) - len(removed) - len(pruned)


def pruned_files(folder: Path, listed: Collection[PurePosixPath]) -> set[PurePosixPath]:
    """The files of trials in SHA256SUMS that pruned.json excuses, because they are not on this disk."""
    if read_pruned(folder) is None:
        return set()
    return {path for path in listed if path.parts[0] == TRIALS and not (folder / path).exists()}


def removed_files(
    tombstone: Tombstone, listed: Mapping[PurePosixPath, str], title: str
) -> set[PurePosixPath]:
    """The files that a tombstone names; it excuses no file but those of trials.

    Raises:
        UserError: it names another file, or another content of one.
    """
    removed = {PurePosixPath(one.path): one.sha256 for one in tombstone.removed}
    for path, checksum in removed.items():
        if listed.get(path) != checksum or path.parts[0] != TRIALS:
            raise UserError(f"{title}/{TOMBSTONE}: {path} is no file of a trial in {NAME}; fetch it again")
    return set(removed)
