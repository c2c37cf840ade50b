"""Rebuild a snapshot's tables and charts from its trials, and compare every byte."""

import tempfile
from pathlib import Path

from scripts.base.errors import UserError
from scripts.snapshot.checksums import digest, files_of, verify_checksums
from scripts.snapshot.rebuild import rebuild, stage

REBUILT = ("tables", "charts")


def reproduce(snapshot: Path) -> int:
    """Verify a snapshot and rebuild it in a temporary directory.

    Returns:
        How many rebuilt files are identical.

    Raises:
        UserError: the snapshot is damaged, or a rebuilt file differs, is missing or is new.
    """
    verify_checksums(snapshot)
    with tempfile.TemporaryDirectory(prefix="observatory-reproduce-") as scratch:
        cycle = stage(snapshot, Path(scratch))
        rebuild(cycle)
        differing = [
            f"{name}/{path}" for name in REBUILT for path in _differences(snapshot / name, cycle / name)
        ]
        if differing:
            raise UserError(f"{snapshot}: not identical when rebuilt: {', '.join(differing)}")
        return sum(len(files_of(cycle / name)) for name in REBUILT)


def _differences(ours: Path, theirs: Path) -> list[str]:
    """The files that are not in both folders with the same bytes."""
    one, other = set(files_of(ours)), set(files_of(theirs))
    changed = {path for path in one & other if digest(ours / path) != digest(theirs / path)}
    return sorted(path.as_posix() for path in changed | (one ^ other))
