"""The form of a lean snapshot: left_out.json, which names what it lacks, and the one file that it may be.

left_out.json has every file that a full snapshot would have besides, with size, checksum and reason.
SHA256SUMS lists the files that are there: left_out.json, and none of those that left_out.json names.

<folder>.tar.zst is the whole snapshot as one file. Records and charts are alike, so they take a tenth of
their size. Lean snapshots in git have this form. It is unpacked before it is read.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeVar

from scripts.base.errors import UserError
from scripts.base.files import digest, write_bytes
from scripts.base.locks import scratch_folder
from scripts.base.records import read_record, write_record
from scripts.base.tar_files import members, packed
from scripts.snapshot.about import SnapshotFile

LEFT_OUT = "left_out.json"


@dataclass(frozen=True)
class LeftOutGroup:
    """Files that were left out for one reason.

    Attributes:
        reason: for readers.
        count, bytes: how many files, and how large they are together.
        files: each of them, by its path in a full snapshot; empty if no full snapshot would have them.
        of_trials: whether they belong to measured trials: no rebuild can make them again.
    """

    reason: str
    count: int
    bytes: int
    files: tuple[SnapshotFile, ...] = ()
    of_trials: bool = False


@dataclass(frozen=True)
class LeftOut:
    """The content of left_out.json."""

    groups: tuple[LeftOutGroup, ...] = ()

    @property
    def by_path(self) -> dict[str, tuple[SnapshotFile, str]]:
        """Every named file with the reason, by its path."""
        return {file.path.as_posix(): (file, group.reason) for group in self.groups for file in group.files}

    @property
    def count_and_bytes(self) -> tuple[int, int]:
        """How many files a full snapshot would have besides, and their bytes."""
        groups = [group for group in self.groups if group.files]
        return sum(group.count for group in groups), sum(group.bytes for group in groups)


def left_out_file(path: Path, name: Path) -> SnapshotFile:
    """A file that is left out, by its name in a full snapshot."""
    return SnapshotFile(name, path.stat().st_size, digest(path))


def group_of(reason: str, files: Sequence[SnapshotFile], of_trials: bool = False) -> LeftOutGroup:
    """A group of these files, by path."""
    ordered = tuple(sorted(files, key=lambda file: file.path.as_posix()))
    return LeftOutGroup(reason, len(ordered), sum(file.bytes for file in ordered), ordered, of_trials)


def read_left_out(snapshot: Path) -> LeftOut:
    """Read left_out.json; empty if a snapshot has none, because it is full.

    Raises:
        UserError: the file is wrong.
    """
    path = snapshot / LEFT_OUT
    return read_record(LeftOut, path) if path.exists() else LeftOut()


def write_left_out(snapshot: Path, groups: Sequence[LeftOutGroup]) -> None:
    """Write left_out.json, without groups that have no files."""
    write_record(snapshot / LEFT_OUT, LeftOut(tuple(group for group in groups if group.count)))


Named = TypeVar("Named", str, Path)
"""What names a snapshot: a folder, a file, or an address."""

LEAN_FOLDER = "lean"
"""The folder of the archive with the lean snapshots that come with the code."""

SUFFIX = ".tar.zst"
COMPRESSION_LEVEL = 19
MOST_UNPACKED_BYTES = 500_000_000
"""No lean snapshot is as large as this, unpacked."""


def is_packed(snapshot: str | Path) -> bool:
    """Whether this names a snapshot that is one file."""
    return str(snapshot).endswith(SUFFIX)


def pack(folder: Path, file: Path) -> None:
    """Write a snapshot as one file, whole or not at all."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = ((path.relative_to(folder.parent).as_posix(), path.read_bytes(), 0o644) for path in paths)
    write_bytes(file, packed(files, COMPRESSION_LEVEL))


def unpack(file: Path, into: Path) -> Path:
    """Write the files of a packed snapshot into its folder in `into`, whole or not at all, and return that.

    Raises:
        UserError: the file is missing, damaged or no packed snapshot, or the folder exists.
    """
    if not file.is_file():
        raise UserError(f"{file}: no such file; name the {SUFFIX} of a lean snapshot")
    with scratch_folder(into) as scratch:
        with file.open("rb") as stream:
            for name, content in members(stream, MOST_UNPACKED_BYTES, str(file)):
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
