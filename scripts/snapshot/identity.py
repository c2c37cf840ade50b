"""snapshot.json: which cycle and revision a snapshot is; and the snapshots of the archive, data/snapshots/.

provisional.json names the cycle of provisional pages, and how far it is.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import digest, read_json
from scripts.base.records import from_json, read_record, require_version, write_record
from scripts.model.cycle_names import SNAPSHOTS, order_of, require_names

IDENTITY = "snapshot.json"
DESCRIPTION = "tables/cycle.json"
CHECKSUMS = "SHA256SUMS"
SIGNATURE = ".sig"
"""A signature is in the file of this name after that of the signed file."""

FORMAT = 1
"""The version of the format of snapshots. A snapshot of another version has it under the key `format`."""

PROVISIONAL = "provisional.json"

SnapshotKind = Literal["full", "lean"]
"""`lean`: without captures and logs of trials (lean.py)."""

Start = Literal["captures", "parquet", "rows"]
"""What a rebuild begins with. `captures`: the published captures and logs. `parquet`: what was extracted from
them before. `rows`: the snapshot's own tables of level trial, without any capture."""


@dataclass(frozen=True)
class Correction:
    """Why a later revision was made, and on which day (UTC)."""

    date: str
    reason: str


@dataclass(frozen=True)
class Previous:
    """The snapshot before: its folder in the archive, and the SHA-256 of its SHA256SUMS."""

    folder: str
    sha256: str


@dataclass(frozen=True)
class Incomplete:
    """How far the cycle of a lean snapshot was: the trials measured, of those planned so far."""

    measured: int
    planned: int

    @property
    def words(self) -> str:
        """Both numbers, for readers."""
        return f"{self.measured} of {self.planned} trials planned so far"


@dataclass(frozen=True)
class Identity:
    """The content of snapshot.json.

    Attributes:
        campaign, cycle: the names of the cycle.
        revision: 1, or the number of a correction.
        correction: None for the first revision.
        commit: the commit of the code that made tables and charts; None outside a git checkout. It ends with
            `+` if files had been changed.
        previous: of revision 1 the latest snapshot of the cycle before, of a later one the revision before;
            None if there was none.
        kind: whether the files of trials are in it.
        incomplete: how far the cycle was when it was frozen; None if it was complete.
    """

    campaign: str
    cycle: str
    revision: int = 1
    correction: Correction | None = None
    commit: str | None = None
    previous: Previous | None = None
    kind: SnapshotKind = "full"
    incomplete: Incomplete | None = None

    @property
    def folder(self) -> str:
        """The name of the snapshot's folder in an archive."""
        return f"{self.campaign}-{self.cycle}" + ("" if self.revision == 1 else f"-r{self.revision}")

    @property
    def label(self) -> str:
        """The name of the cycle and, after the first one, of the revision."""
        return self.cycle if self.revision == 1 else f"{self.cycle}.r{self.revision}"


def read_identity(snapshot: Path) -> Identity:
    """Read snapshot.json of a snapshot.

    Raises:
        UserError: the file is missing, or as in `parse_identity`.
    """
    return parse_identity(read_json(snapshot / IDENTITY), str(snapshot / IDENTITY))


def parse_identity(content: object, origin: str) -> Identity:
    """The content of a snapshot.json as `json.loads` returns it.

    Raises:
        UserError: it is wrong, of another format, or has a name that could not be that of a folder; the error
            names `origin`.
    """
    if isinstance(content, dict):
        require_version(content.get("format", FORMAT), FORMAT, origin)
    identity = from_json(Identity, content, origin)
    require_names(identity.campaign, identity.cycle, origin)
    return identity


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
    folders = {}
    for snapshot in sorted(archive.glob("[!.]*")):
        if not (snapshot / DESCRIPTION).is_file():
            continue
        other = read_record(ArchivedCycle, snapshot / DESCRIPTION)
        if (other.campaign, other.cycle) == (named.campaign, named.cycle):
            if not _same_time(named, other):
                raise UserError(
                    f"{snapshot}: is another measurement of this name; give the new cycle another name"
                )
            folders[read_identity(snapshot).revision if (snapshot / IDENTITY).is_file() else 1] = snapshot
    return folders


def place_in_archive(cycle: Path, revision: int) -> Path:
    """The folder in the archive for a new snapshot of a cycle.

    Raises:
        UserError: this revision is published, or the one before it is not.
    """
    archive, named = archive_of(cycle), cycle_of(cycle)
    published = revisions_of(archive, named)
    if revision in published:
        raise UserError(published_already(published, named))
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
        _order(identity.cycle, identity.revision): path.parent
        for path in archive.glob(f"[!.]*/{IDENTITY}")
        if (identity := read_identity(path.parent)).campaign == campaign
        and _order(identity.cycle, identity.revision) < _order(cycle, revision)
    }
    if not before:
        return None
    folder = before[max(before)]
    if not (folder / CHECKSUMS).is_file():
        raise UserError(f"{folder / CHECKSUMS}: no such file; fetch the snapshot again")
    return Previous(folder.name, digest(folder / CHECKSUMS))


def published_already(published: dict[int, Path], named: ArchivedCycle) -> str:
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


@dataclass(frozen=True)
class Provisional:
    """The content of provisional.json: how many of the trials planned so far are measured."""

    campaign: str
    cycle: str
    measured: int
    planned: int


def write_provisional(folder: Path, running: Provisional) -> None:
    """Write provisional.json into a folder."""
    write_record(folder / PROVISIONAL, running)
