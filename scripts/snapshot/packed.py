"""A snapshot as one file, <folder>.tar.zst: records and charts are alike, so they take a tenth of their size.

Lean snapshots are kept so in git. Whoever reads one unpacks it first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeVar

from scripts.base.errors import UserError
from scripts.base.files import write_bytes
from scripts.base.locks import scratch_folder
from scripts.base.tar_files import members, packed

Named = TypeVar("Named", str, Path)
"""What names a snapshot: a folder, a file, or an address."""

SUFFIX = ".tar.zst"
LEVEL = 19
MOST_BYTES = 500_000_000
"""No lean snapshot is as large as this, unpacked."""


def is_packed(snapshot: str | Path) -> bool:
    """Whether this names a snapshot that is one file."""
    return str(snapshot).endswith(SUFFIX)


def pack(folder: Path, file: Path) -> None:
    """Write a snapshot as one file, whole or not at all."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = ((path.relative_to(folder.parent).as_posix(), path.read_bytes(), 0o644) for path in paths)
    write_bytes(file, packed(files, LEVEL))


def unpack(file: Path, into: Path) -> Path:
    """Write the files of a packed snapshot into its folder in `into`, whole or not at all, and return that.

    Raises:
        UserError: the file is missing, damaged or no packed snapshot, or the folder exists.
    """
    if not file.is_file():
        raise UserError(f"{file}: no such file; name the {SUFFIX} of a lean snapshot")
    with scratch_folder(into) as scratch:
        with file.open("rb") as stream:
            for name, content in members(stream, MOST_BYTES, str(file)):
                path = PurePosixPath(name)
                if path.is_absolute() or ".." in path.parts:
                    raise UserError(
                        f"{file}: has {name}, which leads out of its folder; do not use this file"
                    )
                write_bytes(scratch / path, content)
        made = [*scratch.iterdir()]
        if len(made) != 1 or not made[0].is_dir():
            raise UserError(
                f"{file}: has {len(made)} files and folders at its top; a packed snapshot has one folder"
            )
        folder = into / made[0].name
        if folder.exists():
            raise UserError(f"{folder}: exists already; remove it, or unpack into another folder")
        return made[0].rename(folder)


@contextmanager
def unpacked(snapshot: Named) -> Iterator[Named]:
    """The folder of a packed snapshot, for a while. Any other snapshot stays what it is.

    Raises:
        UserError: what the block raises; it names the file in place of the folder.
    """
    if not is_packed(snapshot):
        yield snapshot
        return
    with TemporaryDirectory() as scratch:
        folder = unpack(Path(snapshot), Path(scratch))
        try:
            yield type(snapshot)(folder)
        except UserError as error:
            raise UserError(str(error).replace(str(folder), str(snapshot))) from error


@contextmanager
def repacked(snapshot: Path) -> Iterator[Path]:
    """The folder to make a snapshot in; of a packed one it begins as the file is, and replaces it."""
    if not is_packed(snapshot):
        yield snapshot
        return
    with scratch_folder(snapshot.parent) as scratch:
        inside = scratch / "made"  # `scratch` itself is locked
        folder = inside / snapshot.name.removesuffix(SUFFIX)
        if snapshot.exists():
            folder = unpack(snapshot, inside)
        yield folder
        pack(folder, snapshot)
