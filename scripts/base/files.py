"""Writes files whole or not at all, and reads JSON files with errors that name the file."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""


def in_checkout(name: str) -> Path:
    """A file of the repository, as it is called in the current folder: `data` if that is the repository."""
    return Path(os.path.relpath(ROOT / name))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name in the same directory. The file written there replaces `path` if no error occurs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def wait_for_disk(*paths: Path) -> None:
    """Wait until these files and folders are on the disk, so that no power cut empties or loses them."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def link(source: str | Path, target: str | Path) -> None:
    """Make `target` a hard link to a file, or a copy where none can be made, and create its directories."""
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def free_bytes(folder: Path) -> int:
    """The free bytes for this user on the disk of a folder, or of its nearest parent if it does not exist."""
    existing = next(one for one in (folder.resolve(), *folder.resolve().parents) if one.exists())
    return shutil.disk_usage(existing).free


def readable_bytes(count: float) -> str:
    """A readable number of bytes: `850 kB`, `3.2 GB`."""
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 999.5:
            return f"{count:.{1 if count < 9.95 else 0}f} {unit}"
    return f"{count / 1000:.1f} TB"


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, and create its directories."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def create_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, as the only one of several processes and hosts that try.

    Raises:
        FileExistsError: it exists already.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.uname().nodename}-{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.link(temporary, path)
    except FileExistsError:
        if temporary.stat().st_nlink == 1:  # Else it is linked: NFS may lose the answer (link(2), BUGS).
            raise
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and create its directories."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        UserError: the file cannot be read, is not valid JSON, or is not an object.
    """
    try:
        content = parse_json(path.read_bytes(), str(path), "write it again")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: a JSON object is needed; write it again")
    return content


def parse_json(content: bytes, title: str, advice: str) -> Any:
    """Parse JSON of whatever origin, in UTF-8.

    Raises:
        UserError: it is not valid JSON, or is nested too deeply. The error names `title`, and ends with the
            advice.
    """
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise UserError(f"{title}: is not valid JSON: {error}; {advice}") from error
    except RecursionError:
        raise UserError(f"{title}: is not valid JSON: it is nested too deeply; {advice}") from None


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
