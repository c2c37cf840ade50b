"""SHA256SUMS of a folder, in the format of sha256sum(1)."""

import hashlib
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text

NAME = "SHA256SUMS"


def files_of(folder: Path) -> list[Path]:
    """Every file in `folder` and its subfolders except the checksums, relative to `folder`, sorted."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if path != Path(NAME))


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_checksums(folder: Path) -> None:
    """Write SHA256SUMS for all files in `folder`."""
    lines = [f"{digest(folder / path)}  {path.as_posix()}\n" for path in files_of(folder)]
    write_text(folder / NAME, "".join(lines))


def verify_checksums(folder: Path) -> int:
    """Check every file against SHA256SUMS.

    Returns:
        The number of files.

    Raises:
        UserError: a file is missing, changed or not listed, or SHA256SUMS is missing.
    """
    try:
        lines = (folder / NAME).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"{folder / NAME}: cannot be read: {error.strerror}; is this a snapshot?") from error
    listed = {Path(name): checksum for checksum, name in (line.split("  ", 1) for line in lines)}
    present = set(files_of(folder))
    for path in sorted(present | listed.keys()):
        if path not in present:
            raise UserError(f"{folder / path}: is missing; fetch the snapshot again")
        if path not in listed:
            raise UserError(f"{folder / path}: is not in {NAME}; remove it, or fetch the snapshot again")
        if digest(folder / path) != listed[path]:
            raise UserError(f"{folder / path}: does not match {NAME}; fetch the snapshot again")
    return len(listed)
