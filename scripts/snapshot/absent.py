"""Files of a published snapshot that are not there, because they were removed or are on another disk only.

tombstone.json names the files that were removed, or says that the whole cycle is withdrawn; when, and why. It
is written before a file is removed, so that a removal that was interrupted can be repeated.
pruned.json says that files of trials are not on this disk, because their published copies suffice. These are
the files below trials/ that SHA256SUMS lists and that are not there. Unattended operation writes it when it
prunes a cycle (scripts/operate/pruning.py) or restores a host.

SHA256SUMS lists neither of the two. It stays as it was published, so the checksums of the other files still
hold. datapackage.json (metadata.py) has the size of every file.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.base.locks import locked
from scripts.base.records import read_record, write_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.snapshot.about import read_datapackage
from scripts.snapshot.checksums import PRUNED, TOMBSTONE, file_problems, read_checksums, read_listing, refuse
from scripts.snapshot.identity import CHECKSUMS
from scripts.snapshot.source import TRIALS, Folder


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
    return {file.path: file.bytes for file in read_datapackage(snapshot)}


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


def verify_checksums(folder: Path) -> int:
    """Check every file against SHA256SUMS. Those in tombstone.json must be absent; pruned ones may be.

    Returns:
        The number of files that were checked.

    Raises:
        UserError: a file is missing, changed or not listed, a removal is incomplete, or SHA256SUMS is missing
            or wrong.
    """
    listed = read_listing(Folder(folder))
    removed = removed_files(read_tombstone(folder), listed, str(folder))
    pruned = pruned_files(Folder(folder), listed) - removed
    refuse(file_problems(Folder(folder), listed, removed, pruned))
    return len(listed) - len(removed) - len(pruned)


def pruned_files(source: Folder, listed: Collection[PurePosixPath]) -> set[PurePosixPath]:
    """The files of trials in SHA256SUMS that pruned.json excuses, because they are not on this disk."""
    if read_pruned(source.path) is None:
        return set()
    return {path for path in listed if path.parts[0] == TRIALS and not source.exists(path)}


def removed_files(
    tombstone: Tombstone, listed: Mapping[PurePosixPath, str], title: str
) -> set[PurePosixPath]:
    """The files that a tombstone names; it excuses no file but those of trials.

    Raises:
        UserError: it names another file, or another content of one.
    """
    removed = {PurePosixPath(file.path): file.sha256 for file in tombstone.removed}
    for path, checksum in removed.items():
        if listed.get(path) != checksum or path.parts[0] != TRIALS:
            text = f"{path} is no file of a trial in {CHECKSUMS}; fetch it again"
            raise UserError(f"{title}/{TOMBSTONE}: {text}")
    return set(removed)


def remove(snapshot: Path, names: Sequence[str], reason: str, date: str) -> list[Path]:
    """Remove files of trials from a snapshot. A repeat changes nothing, but completes an interrupted removal.

    Args:
        snapshot: the folder of the snapshot.
        names: files and folders below trials/, as SHA256SUMS has them. A folder means every file in it but
            trial.json, which the pages need.
        reason: why, for the readers.
        date: the day (UTC).

    Returns:
        The removed files of which another hard link exists, which is not removed.

    Raises:
        UserError: a name is not listed, is not below trials/, or is a trial.json; then nothing is removed.
    """
    listed = read_checksums(snapshot)
    chosen = sorted({path for name in names for path in _files(snapshot, name, listed)})
    with _changing(snapshot) as before:
        known, pruned = {file.path for file in before.removed}, pruned_sizes(snapshot)
        new = [
            Removed(path.as_posix(), _size(snapshot, path, pruned), listed[path], date, reason)
            for path in chosen
            if path.as_posix() not in known
        ]
        if new:
            _write(replace(before, removed=(*before.removed, *new)), snapshot)
        present = [path for path in chosen if (snapshot / path).exists()]
        linked = [path for path in present if (snapshot / path).stat().st_nlink > 1]
        for path in present:
            (snapshot / path).unlink()
    return linked


def withdraw(snapshot: Path, reason: str, date: str) -> Withdrawn:
    """Mark a snapshot as withdrawn, and return the mark. A repeat changes nothing.

    Raises:
        UserError: the folder is no snapshot.
    """
    read_checksums(snapshot)
    with _changing(snapshot) as before:
        if before.withdrawn is not None:
            return before.withdrawn
        withdrawn = Withdrawn(date, reason)
        _write(replace(before, withdrawn=withdrawn), snapshot)
    return withdrawn


@contextmanager
def _changing(snapshot: Path) -> Iterator[Tombstone]:
    """Lock a snapshot, remove what a killed command left of a new tombstone.json, and read the old one."""
    with locked(snapshot):
        for left in snapshot.glob(f".{TOMBSTONE}.*"):
            left.unlink()
        yield read_tombstone(snapshot)


def _files(snapshot: Path, name: str, listed: Mapping[Path, str]) -> list[Path]:
    """The listed files that a name means."""
    path = Path(name)
    if path.parts[:1] != ("trials",):
        raise UserError(f"{snapshot / path}: is not below trials/; only files of trials can be removed")
    if path in listed and path.name == TRIAL_JSON:
        raise UserError(f"{snapshot / path}: is needed by the pages; withdraw the cycle instead")
    files = [file for file in listed if file == path or path in file.parents]
    if not files:
        raise UserError(f"{snapshot / path}: is not in SHA256SUMS; name a file or folder that is")
    return [file for file in files if file.name != TRIAL_JSON]


def _size(snapshot: Path, path: Path, pruned: Mapping[Path, int]) -> int:
    """The size of a file that is to be removed, which may be published elsewhere only."""
    try:
        return size_of(snapshot, path, pruned)
    except UserError as error:
        problem = f"{snapshot / path}: is missing, and was not removed by this command"
        raise UserError(f"{problem}; fetch the snapshot again") from error


def _write(tombstone: Tombstone, snapshot: Path) -> None:
    """Replace tombstone.json. It names its snapshot, so that it hides nothing of another revision."""
    write_record(snapshot / TOMBSTONE, replace(tombstone, snapshot=digest(snapshot / CHECKSUMS)))
