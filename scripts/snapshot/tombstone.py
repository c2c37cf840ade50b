"""tombstone.json: what was removed from a published snapshot, when and why.

SHA256SUMS does not list it. SHA256SUMS stays as it was published, so the checksums of the other files still
hold.
"""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.records import read_record

NAME = "tombstone.json"


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
    path = snapshot / NAME
    return read_record(Tombstone, path) if path.exists() else Tombstone()
