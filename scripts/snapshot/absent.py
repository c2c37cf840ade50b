"""What of a published snapshot is not there: what was removed, and what is on another disk only.

tombstone.json tells what was removed, when and why. pruned.json tells that files of trials are not on this
disk, because their published copies suffice: those below trials/ that SHA256SUMS lists and that are not
there. Unattended operation writes it when it prunes a cycle (scripts/operate/pruning.py) or restores a host.
SHA256SUMS lists neither of the two. It stays as it was published, so the checksums of the other files still
hold. datapackage.json (metadata.py) tells how large every file was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scripts.base.errors import UserError
from scripts.base.records import read_record, write_record

TOMBSTONE, PRUNED, PACKAGE = "tombstone.json", "pruned.json", "datapackage.json"


@dataclass(frozen=True)
class Removed:
    """A removed file by its path in the snapshot, with what it was; `date` is a day (UTC)."""

    path: str
    bytes: int
    sha256: str
    date: str
    reason: str


@dataclass(frozen=True)
class Withdrawn:
    """The whole cycle is withdrawn: its pages stay and say so."""

    date: str
    reason: str


@dataclass(frozen=True)
class Tombstone:
    """The content of tombstone.json.

    Attributes:
        removed: the files that were removed.
        withdrawn: set if the whole cycle is.
        snapshot: the SHA-256 of SHA256SUMS of the snapshot that it belongs to.
    """

    removed: tuple[Removed, ...] = ()
    withdrawn: Withdrawn | None = None
    snapshot: str | None = None


def read_tombstone(snapshot: Path) -> Tombstone:
    """Read tombstone.json; empty if nothing was removed.

    Raises:
        UserError: the file is wrong.
    """
    path = snapshot / TOMBSTONE
    return read_record(Tombstone, path) if path.exists() else Tombstone()


@dataclass(frozen=True)
class Resource:
    """A file of a snapshot. `hash` has the form `sha256:...`."""

    path: str
    bytes: int
    hash: str

    @property
    def sha256(self) -> str:
        """Its checksum in hexadecimal digits."""
        return self.hash.removeprefix("sha256:")


@dataclass(frozen=True)
class _Package:
    """The part of datapackage.json that is read here."""

    resources: tuple[Resource, ...]


def read_resources(snapshot: Path) -> tuple[Resource, ...]:
    """Read the datapackage.json of a snapshot.

    Raises:
        UserError: it is missing or wrong.
    """
    return read_record(_Package, snapshot / PACKAGE).resources


def resources_in(content: bytes, origin: str) -> tuple[Resource, ...]:
    """Read the content of a datapackage.json.

    Raises:
        UserError: it is wrong; the error names `origin`.
    """
    try:
        return msgspec.json.decode(content, type=_Package).resources
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"{origin}: {error}; ask the owner of the snapshot") from error


@dataclass(frozen=True)
class Pruned:
    """The day (UTC), where the published copies are, and how much was pruned."""

    date: str
    remote: str
    files: int
    bytes: int


def read_pruned(snapshot: Path) -> Pruned | None:
    """Read pruned.json; None if every file is on this disk.

    Raises:
        UserError: the file is wrong.
    """
    path = snapshot / PRUNED
    return read_record(Pruned, path) if path.exists() else None


def write_pruned(snapshot: Path, pruned: Pruned) -> None:
    """Write pruned.json, whole or not at all."""
    write_record(snapshot / PRUNED, pruned)


def pruned_sizes(snapshot: Path) -> dict[Path, int]:
    """The bytes of every file of a trial, by datapackage.json; empty if every file is on this disk.

    Raises:
        UserError: datapackage.json is missing or wrong.
    """
    if read_pruned(snapshot) is None:
        return {}
    return {Path(one.path): one.bytes for one in read_resources(snapshot)}


def size_of(snapshot: Path, path: Path, pruned: Mapping[Path, int]) -> int:
    """The bytes of a trial's file, which may be pruned.

    Raises:
        UserError: it is not there, and not pruned.
    """
    if (snapshot / path).is_file():
        return (snapshot / path).stat().st_size
    if path not in pruned:
        raise UserError(f"{snapshot / path}: is missing; fetch the snapshot again")
    return pruned[path]
