"""The snapshots in a folder, by the cycle that each one is."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.site.addresses import Place
from scripts.snapshot.checksums import NAME as CHECKSUMS
from scripts.snapshot.checksums import digest
from scripts.snapshot.identity import NAME, read_identity
from scripts.snapshot.tombstone import Tombstone, read_tombstone


@dataclass(frozen=True)
class Snapshot:
    """A published cycle.

    Attributes:
        folder: its folder.
        checksum: SHA-256 of its SHA256SUMS.
        tombstone: what was removed from it.
    """

    folder: Path
    checksum: str
    tombstone: Tombstone


def read_snapshots(folder: Path) -> dict[Place, Snapshot]:
    """The snapshots in a folder, sorted by place. A folder without snapshot.json is none.

    Raises:
        UserError: there is no such folder, a file of a snapshot is missing or wrong, or two snapshots are the
            same cycle.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; name the folder of the snapshots")
    found: dict[Place, Snapshot] = {}
    for path in sorted(folder.glob(f"[!.]*/{NAME}")):
        identity = read_identity(path.parent)
        place = Place(identity.campaign, identity.cycle, identity.revision)
        if place in found:
            problem = f"{path.parent}: is the same cycle and revision as {found[place].folder}"
            raise UserError(f"{problem}; move one of them elsewhere")
        found[place] = _read(path.parent)
    return dict(sorted(found.items()))


def _read(folder: Path) -> Snapshot:
    if not (folder / CHECKSUMS).is_file():
        raise UserError(f"{folder / CHECKSUMS}: no such file; fetch the snapshot again")
    return Snapshot(folder, digest(folder / CHECKSUMS), read_tombstone(folder))
