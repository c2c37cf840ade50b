"""The dated corrections of the archive: revisions, removed files and withdrawn cycles."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from scripts.figures.words import several
from scripts.site import Row
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.snapshot.absent import Removed, Tombstone

CorrectionKind = Literal["revision", "removed", "withdrawn"]


@dataclass(frozen=True)
class CorrectedCycle:
    """A correction of a cycle: when (a day, UTC), which, why, and the removed files."""

    date: str
    kind: CorrectionKind
    summary: Summary
    reason: str
    files: tuple[Removed, ...] = ()

    @property
    def anchor(self) -> str:
        """Its id on the page of corrections. It stays when other corrections are added."""
        place = self.summary.place
        name = f"{self.kind}-{place.campaign}-{place.label}"
        if self.kind != "removed":
            return name
        return f"{name}-{self.date}-{hashlib.sha256(self.reason.encode()).hexdigest()[:8]}"

    @property
    def title(self) -> str:
        """What was corrected, in a line."""
        place = self.summary.place
        cycle = f"cycle {place.cycle} of campaign {place.campaign}"
        if self.kind == "revision":
            return f"Revision {place.revision} of {cycle}"
        of = cycle if place.revision == 1 else f"revision {place.revision} of {cycle}"
        if self.kind == "withdrawn":
            return f"Withdrawn: {of}"
        return f"{several(len(self.files), 'file')} removed from {of}"


def corrections(archive: Archive) -> list[CorrectedCycle]:
    """All corrections, the latest first."""
    unordered = [correction for cycle in archive.cycles for correction in corrections_of(cycle)]
    return sorted(
        sorted(unordered, key=lambda correction: correction.anchor),
        key=lambda correction: correction.date,
        reverse=True,
    )


def corrections_of(cycle: Cycle) -> list[CorrectedCycle]:
    """The corrections of all revisions of a cycle."""
    corrections = []
    for summary, tombstone in zip(cycle.revisions, cycle.tombstones, strict=True):
        if (revision := summary.correction) is not None:
            corrections.append(CorrectedCycle(revision.date, "revision", summary, revision.reason))
        if (withdrawn := tombstone.withdrawn) is not None:
            corrections.append(CorrectedCycle(withdrawn.date, "withdrawn", summary, withdrawn.reason))
        corrections += _removals(summary, tombstone)
    return corrections


def correction_page(archive: Archive) -> list[Row]:
    """The sections of the page of corrections, the latest first."""
    return [
        {
            "date": correction.date,
            "anchor": correction.anchor,
            "title": correction.title,
            "reason": correction.reason,
            "pages": correction.summary.place.pages,
            "files": correction.files,
        }
        for correction in corrections(archive)
    ]


def _removals(summary: Summary, tombstone: Tombstone) -> list[CorrectedCycle]:
    """The removed files, together if they were removed on one day for one reason."""
    files: dict[tuple[str, str], list[Removed]] = defaultdict(list)
    for removed in sorted(tombstone.removed, key=lambda file: file.path):
        files[removed.date, removed.reason].append(removed)
    return [
        CorrectedCycle(date, "removed", summary, reason, tuple(removed))
        for (date, reason), removed in sorted(files.items())
    ]
