"""The snapshots in a folder, by the cycle that each one is."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.site.addresses import Place
from scripts.snapshot.absent import Tombstone, read_tombstone
from scripts.snapshot.identity import CHECKSUMS, IDENTITY, read_identity

REFERENCE = "reference"
"""The folder of the snapshot that comes with the project, which `make reproduce` rebuilds. No site has it."""


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
    """The snapshots in a folder, sorted by place, but for REFERENCE. A folder without snapshot.json is none.

    Raises:
        UserError: there is no such folder, a file of a snapshot is missing or wrong, or its folder has the
            name of another snapshot.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; name the folder of the snapshots")
    snapshots_by_place: dict[Place, Snapshot] = {}
    for path in sorted(folder.glob(f"[!.]*/{IDENTITY}")):
        if path.parent.name == REFERENCE:
            continue
        identity = read_identity(path.parent)
        if path.parent.name != identity.folder:
            problem = f"{path.parent}: is {identity.folder} by its {IDENTITY}"
            raise UserError(f"{problem}; give it that name, or move it elsewhere")
        sums = path.with_name(CHECKSUMS)
        if not sums.is_file():
            raise UserError(f"{sums}: no such file; fetch the snapshot again")
        place = Place(identity.campaign, identity.cycle, identity.revision)
        snapshots_by_place[place] = Snapshot(path.parent, digest(sums), read_tombstone(path.parent))
    return dict(sorted(snapshots_by_place.items()))
