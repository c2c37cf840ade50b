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
        The number of rebuilt files, all identical.

    Raises:
        UserError: the snapshot is damaged, or a file differs, is missing, or is additional when rebuilt.
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


def _differences(original: Path, rebuilt: Path) -> list[str]:
    """The files that are in one folder only, or whose bytes differ."""
    before, after = set(files_of(original)), set(files_of(rebuilt))
    in_both = before & after
    changed = {path for path in in_both if digest(original / path) != digest(rebuilt / path)}
    return sorted(path.as_posix() for path in changed | (before ^ after))
