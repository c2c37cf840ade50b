"""Copies of the pinned snapshot that hold only some of its files, signed or published."""

import shutil
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from scripts.model.plan_file import read_plan
from scripts.snapshot.checksums import read_listing
from scripts.snapshot.choice import Choice, SnapshotContent, chosen_part
from scripts.snapshot.part import needed
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import Folder
from scripts.snapshot.trust import Policy

REFERENCE = Path(__file__).resolve().parents[2] / "data/snapshots/reference"
UNSIGNED = Policy(read_signers(), datetime(2026, 12, 1, tzinfo=UTC), frozenset({"unsigned"}))


def content_of(snapshot: Path = REFERENCE) -> SnapshotContent:
    """What a snapshot has."""
    trials = tuple(line.key for line in read_plan(snapshot / "plan/plan.csv"))
    return SnapshotContent(trials, frozenset(read_listing(Folder(snapshot))))


def files_for(**asked: str) -> set[PurePosixPath]:
    """The files of the reference that a part of it needs."""
    content = content_of()
    return needed(chosen_part(Choice(**asked), content), content.listed)


def copy_only(files: Iterable[PurePosixPath], folder: Path) -> Path:
    """A copy of these files of the reference, with its SHA256SUMS."""
    for path in (*files, PurePosixPath("SHA256SUMS")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REFERENCE / path, folder / path)
    return folder
