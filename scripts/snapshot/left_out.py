"""left_out.json of a lean snapshot: every file that a full one would have, with size, checksum and reason.

SHA256SUMS lists what is there, so it lists left_out.json and none of the files that left_out.json names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import digest
from scripts.base.records import read_record, write_record

LEFT_OUT = "left_out.json"


@dataclass(frozen=True)
class LeftOutFile:
    """A file by its path in a full snapshot."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class LeftOutGroup:
    """Files that were left out for one reason.

    Attributes:
        reason: for readers.
        count, bytes: how many files, and how large they are together.
        files: each of them; empty if no full snapshot would have them.
        of_trials: whether they belong to measured trials: no rebuild can make them again.
    """

    reason: str
    count: int
    bytes: int
    files: tuple[LeftOutFile, ...] = ()
    of_trials: bool = False


@dataclass(frozen=True)
class LeftOut:
    """The content of left_out.json."""

    groups: tuple[LeftOutGroup, ...] = ()

    @property
    def by_path(self) -> dict[str, tuple[LeftOutFile, str]]:
        """Every named file with the reason, by its path."""
        return {file.path: (file, group.reason) for group in self.groups for file in group.files}

    @property
    def listed(self) -> tuple[int, int]:
        """How many files a full snapshot would have besides, and their bytes."""
        groups = [group for group in self.groups if group.files]
        return sum(group.count for group in groups), sum(group.bytes for group in groups)


def listed(path: Path, name: Path) -> LeftOutFile:
    """A file that is left out, by its name in a full snapshot."""
    return LeftOutFile(name.as_posix(), path.stat().st_size, digest(path))


def group_of(reason: str, files: Sequence[LeftOutFile], of_trials: bool = False) -> LeftOutGroup:
    """A group of these files, by path."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    return LeftOutGroup(reason, len(ordered), sum(file.bytes for file in ordered), ordered, of_trials)


def read_left_out(snapshot: Path) -> LeftOut:
    """Read left_out.json; empty if a snapshot has none, because it is full.

    Raises:
        UserError: the file is wrong.
    """
    path = snapshot / LEFT_OUT
    return read_record(LeftOut, path) if path.exists() else LeftOut()


def write_left_out(snapshot: Path, found: Sequence[LeftOutGroup]) -> None:
    """Write left_out.json, without groups that have no files."""
    write_record(snapshot / LEFT_OUT, LeftOut(tuple(group for group in found if group.count)))
