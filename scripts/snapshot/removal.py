"""Remove files from a published snapshot, or mark the whole of it as withdrawn.

tombstone.json tells what was done, before it is done, so that a removal that was interrupted can be repeated.
SHA256SUMS stays as it was published.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.locks import locked
from scripts.base.records import write_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.snapshot.absent import (
    TOMBSTONE,
    Removed,
    Tombstone,
    Withdrawn,
    pruned_sizes,
    read_tombstone,
    size_of,
)
from scripts.snapshot.checksums import CHECKSUMS, digest, read_checksums


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
        known, pruned = {one.path for one in before.removed}, pruned_sizes(snapshot)
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
    found = [one for one in listed if one == path or path in one.parents]
    if not found:
        raise UserError(f"{snapshot / path}: is not in SHA256SUMS; name a file or folder that is")
    return [one for one in found if one.name != TRIAL_JSON]


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
