"""The snapshots of the archive, data/snapshots/: which cycles are published, and in which revisions."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import read_record
from scripts.model.cycle_names import SNAPSHOTS, order_of
from scripts.snapshot.checksums import CHECKSUMS, digest
from scripts.snapshot.identity import IDENTITY, Identity, Previous, read_identity

DESCRIPTION = "tables/cycle.json"


@dataclass(frozen=True)
class ArchivedCycle:
    """The part of tables/cycle.json that identifies a measurement. The times are None if no trial began."""

    campaign: str
    cycle: str
    first_start_ns: int | None = None
    last_stop_ns: int | None = None

    @property
    def title(self) -> str:
        """The cycle, as messages name it."""
        return f"{self.campaign}, cycle {self.cycle}"


def archive_of(cycle: Path) -> Path:
    """The folder of the snapshots beside a cycle's folder, data/<campaign>/<cycle>."""
    return cycle.resolve().parent.parent / SNAPSHOTS


def cycle_of(cycle: Path) -> ArchivedCycle:
    """Which cycle a folder holds; by the names of the folder if its tables are not built.

    Raises:
        UserError: tables/cycle.json is wrong.
    """
    if (cycle / DESCRIPTION).is_file():
        return read_record(ArchivedCycle, cycle / DESCRIPTION)
    return ArchivedCycle(cycle.resolve().parent.name, cycle.resolve().name)


def revisions_of(archive: Path, named: ArchivedCycle) -> dict[int, Path]:
    """The snapshots of a cycle, by revision.

    Raises:
        UserError: one of the same name has other trials, or the description of a snapshot is wrong.
    """
    found = {}
    for snapshot in sorted(archive.glob("[!.]*")):
        if not (snapshot / DESCRIPTION).is_file():
            continue
        other = read_record(ArchivedCycle, snapshot / DESCRIPTION)
        if (other.campaign, other.cycle) == (named.campaign, named.cycle):
            if not _same_time(named, other):
                raise UserError(
                    f"{snapshot}: is another measurement of this name; give the new cycle another name"
                )
            found[read_identity(snapshot).revision if (snapshot / IDENTITY).is_file() else 1] = snapshot
    return found


def place_in_archive(cycle: Path, revision: int) -> Path:
    """The folder in the archive for a new snapshot of a cycle.

    Raises:
        UserError: this revision is published, or the one before it is not.
    """
    archive, named = archive_of(cycle), cycle_of(cycle)
    published = revisions_of(archive, named)
    if revision in published:
        raise UserError(already(published, named))
    if revision > 1 and revision - 1 not in published:
        raise UserError(f"{archive}: has no revision {revision - 1} of {named.title}; publish that first")
    return archive / Identity(named.campaign, named.cycle, revision).folder


def previous_of(archive: Path, campaign: str, cycle: str, revision: int) -> Previous | None:
    """The snapshot before a new one of a campaign; None if it is the first.

    It is the revision before, or the latest revision of the latest cycle with an earlier name.

    Raises:
        UserError: the identity of a snapshot is wrong, or its SHA256SUMS is missing.
    """
    before = {
        _order(one.cycle, one.revision): path.parent
        for path in archive.glob(f"[!.]*/{IDENTITY}")
        if (one := read_identity(path.parent)).campaign == campaign
        and _order(one.cycle, one.revision) < _order(cycle, revision)
    }
    if not before:
        return None
    folder = before[max(before)]
    if not (folder / CHECKSUMS).is_file():
        raise UserError(f"{folder / CHECKSUMS}: no such file; fetch the snapshot again")
    return Previous(folder.name, digest(folder / CHECKSUMS))


def already(published: dict[int, Path], named: ArchivedCycle) -> str:
    """The message about a cycle that was published before."""
    latest = max(published)
    return (
        f"{published[latest]}: {named.title}, was published already and stays as it is; "
        f"a correction is made by freeze --revision {latest + 1} --reason TEXT"
    )


def _order(cycle: str, revision: int) -> tuple[tuple[tuple[str, int], ...], int]:
    """The key that sorts snapshots of a campaign: by cycle, then by revision."""
    return tuple(order_of(cycle)), revision


def _same_time(one: ArchivedCycle, other: ArchivedCycle) -> bool:
    """Whether two descriptions may be of one measurement: their times overlap, or are not known."""
    if None in (one.first_start_ns, one.last_stop_ns, other.first_start_ns, other.last_stop_ns):
        return True
    assert one.first_start_ns and one.last_stop_ns and other.first_start_ns and other.last_stop_ns
    return one.first_start_ns <= other.last_stop_ns and other.first_start_ns <= one.last_stop_ns
