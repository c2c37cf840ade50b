"""Rebuild a snapshot's tables and charts from its trials, and compare every byte."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.snapshot.checksums import digest, files_of, verify_checksums
from scripts.snapshot.pruned import read_pruned
from scripts.snapshot.rebuild import rebuild, stage
from scripts.snapshot.tombstone import Removed, read_tombstone

REBUILT = ("tables", "charts")

MOST_NAMED = 10
"""How many removed files of one reason are named."""


def reproduce(snapshot: Path) -> int:
    """Verify a snapshot and rebuild it in a temporary directory.

    Returns:
        The number of rebuilt files, all identical.

    Raises:
        UserError: the snapshot is damaged, files of it were removed or pruned, or a file differs, is missing,
            or is additional when rebuilt.
    """
    verify_checksums(snapshot)
    if removed := read_tombstone(snapshot).removed:
        raise UserError(_cannot(snapshot, removed))
    if (pruned := read_pruned(snapshot)) is not None:
        problem = f"{snapshot}: cannot be rebuilt without the files of its trials, which are not on this disk"
        raise UserError(f"{problem} (pruned.json); fetch them from {pruned.remote}, and remove pruned.json")
    with tempfile.TemporaryDirectory(prefix="observatory-reproduce-") as scratch:
        cycle = stage(snapshot, Path(scratch))
        rebuild(cycle)
        differing = [
            f"{name}/{path}" for name in REBUILT for path in _differences(snapshot / name, cycle / name)
        ]
        if differing:
            raise UserError(f"{snapshot}: not identical when rebuilt: {', '.join(differing)}")
        return sum(len(files_of(cycle / name)) for name in REBUILT)


def _cannot(snapshot: Path, removed: Sequence[Removed]) -> str:
    """Why a snapshot cannot be rebuilt: what was removed of it, by day and reason."""
    paths: dict[str, list[str]] = {}
    for one in removed:
        paths.setdefault(f"(on {one.date}: {one.reason})", []).append(one.path)
    told = [f"{_some(found)} {why}" for why, found in paths.items()]
    return f"{snapshot}: cannot be rebuilt without the files that were removed: {'; '.join(told)}"


def _some(paths: Sequence[str]) -> str:
    """The first paths, in words."""
    others = f" and {len(paths) - MOST_NAMED} others" if len(paths) > MOST_NAMED else ""
    return ", ".join(paths[:MOST_NAMED]) + others


def _differences(original: Path, rebuilt: Path) -> list[str]:
    """The files that are in one folder only, or whose bytes differ."""
    before, after = set(files_of(original)), set(files_of(rebuilt))
    in_both = before & after
    changed = {path for path in in_both if digest(original / path) != digest(rebuilt / path)}
    return sorted(path.as_posix() for path in changed | (before ^ after))
