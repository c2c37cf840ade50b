"""What was published in a year, compared with an undisturbed year and with its own checksums."""

import hashlib
import re
import shutil
from pathlib import Path

from scripts.snapshot.absent import verify_checksums

OPERATION = re.compile(r"(operate|status)/.*")
"""What tells of the operation itself: failures, and when things were done."""


REGISTRATION, TIME = "registration.jsonl", re.compile(rb'"time": "[^"]*"')
"""A cycle is registered at the time of the clock, which is not that of the simulated year."""

OF_REGISTRATION = re.compile(
    r"cycles/.*/(manifest\.parquet|summary\.json|data/index\.html)|(artifact|data)/index\.html|"
    r"snapshots/[^/]*/(SHA256SUMS|datapackage\.json|snapshot\.json)"
)
"""What shows this time, or the checksum of the registration. `verified_snapshots` looks at the checksums."""


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file, without those that tell of the operation or of the time of registration."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: hashlib.sha256(_without_time(path)).hexdigest()
        for name, path in files.items()
        if not (OPERATION.fullmatch(name) or OF_REGISTRATION.fullmatch(name))
    }


def _without_time(path: Path) -> bytes:
    content = path.read_bytes()
    return TIME.sub(b"", content) if path.name == REGISTRATION else content


def differences(one: Path, other: Path) -> list[str]:
    """The files that one year has and the other one has not, or not so."""
    first, second = digests(one), digests(other)
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def verified_snapshots(published: Path, scratch: Path) -> int:
    """Put each snapshot together from what was published, and verify SHA256SUMS; returns their number."""
    snapshots = sorted(path.parent for path in published.glob("snapshots/*/SHA256SUMS"))
    for snapshot in snapshots:
        whole = scratch / snapshot.name
        shutil.copytree(snapshot, whole)
        campaign, _, cycle = snapshot.name.partition("-")
        shutil.copytree(published / "captures" / campaign / cycle, whole / "trials")
        verify_checksums(whole)
    return len(snapshots)
