"""The previous site, from which a new one takes over cycles, provisional pages, links to captures,
tombstones, the status of operation, and the number of withdrawn submissions.

Files are taken over as hard links, so nothing may change one in place.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import link, write_text
from scripts.base.records import read_record, to_json
from scripts.model.operation import Status, read_status
from scripts.site.addresses import OPERATION, REVISION, SUBMISSIONS, Place, provisional
from scripts.site.data.summary import JSON, Summary, read_summary
from scripts.snapshot.absent import Tombstone
from scripts.snapshot.identity import PROVISIONAL, Provisional

TOMBSTONES = "corrections/tombstones.json"


def cycles_of(site: Path) -> dict[Place, Summary]:
    """The published cycles of a site, sorted; none if there is no such site."""
    paths = [*site.glob(f"cycles/*/*/{JSON}"), *site.glob(f"cycles/*/*/r*/{JSON}")]
    summaries = [read_summary(path.parent) for path in paths]
    return {summary.place: summary for summary in sorted(summaries, key=lambda summary: summary.place)}


def carry_cycle(old: Path, site: Path, place: Place) -> None:
    """Take over the pages and tables of a cycle."""
    carry_folder(old / place.pages, site / place.pages)
    for tables in old.glob(f"data/v1/*/campaign={place.campaign}/cycle={place.label}"):
        carry_folder(tables, site / tables.relative_to(old))


def carry_folder(source: Path, target: Path) -> None:
    """Take over a folder except the pages of later revisions, which are cycles of their own."""

    def later_revisions(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder) == source and REVISION.fullmatch(name)]

    shutil.copytree(
        source, target, copy_function=link, ignore=later_revisions, symlinks=True, dirs_exist_ok=True
    )


def provisional_of(site: Path) -> list[Provisional]:
    """The unfinished cycles of a site, sorted by campaign."""
    files = sorted(site.glob(f"{provisional('*')}{PROVISIONAL}"))
    return [read_record(Provisional, path) for path in files]


def pages_of(site: Path, place: Place) -> list[Path]:
    """Every page of a cycle, sorted, without those of its later revisions."""
    base = site / place.pages
    pages = (path.relative_to(base) for path in base.rglob("*.html"))
    return sorted(base / page for page in pages if not REVISION.fullmatch(page.parts[0]))


def link_captures(old: Path, site: Path, output: Path, place: Place, base: str, trials: Path | None) -> None:
    """Make the symbolic link to the trials of a cycle where its pages expect it.

    Args:
        old: the old site, which has the link if the cycle is not new. It stays if the snapshot is gone.
        site: the site that is assembled.
        output: where it will stand.
        place: the cycle.
        base: the base of addresses of captures, for a new cycle.
        trials: the trials in the snapshot; None if the snapshot is gone.
    """
    if (old / place.pages / JSON).exists():
        links = [folder / place.label for folder in old.glob(f"*/{place.campaign}")]
        addresses = [path.relative_to(old) for path in links if path.is_symlink()]
    else:
        addresses = [] if "://" in base else [Path(place.captures(base))]
    for address in addresses:
        beside = (output / address).parent
        target = os.readlink(old / address) if trials is None else os.path.relpath(trials.resolve(), beside)
        (site / address).parent.mkdir(parents=True, exist_ok=True)
        (site / address).symlink_to(target)


def operation_of(site: Path) -> Status | None:
    """The status of unattended operation that a site shows; None if nothing is scheduled."""
    path = site / OPERATION
    return read_status(path) if path.exists() else None


@dataclass(frozen=True)
class Submissions:
    """The content of submit/submissions.json: all that is published of submissions beside the archive."""

    withdrawn_after_measuring: int


def withdrawn_of(site: Path) -> int:
    """How many submissions were withdrawn after they were measured, by the record of a site."""
    path = site / SUBMISSIONS
    return read_record(Submissions, path).withdrawn_after_measuring if path.exists() else 0


@dataclass(frozen=True)
class _Kept:
    """What was removed from one cycle."""

    place: Place
    tombstone: Tombstone


@dataclass(frozen=True)
class _Tombstones:
    """The content of corrections/tombstones.json."""

    tombstones: tuple[_Kept, ...] = ()


def tombstones_of(site: Path) -> dict[Place, Tombstone]:
    """The tombstones of a site's cycles: they are needed when a snapshot is gone."""
    path = site / TOMBSTONES
    kept = read_record(_Tombstones, path) if path.exists() else _Tombstones()
    return {removed.place: removed.tombstone for removed in kept.tombstones}


def write_tombstones(site: Path, tombstones: Mapping[Place, Tombstone]) -> None:
    """Store the tombstones in the site."""
    kept = tuple(_Kept(place, tombstones[place]) for place in sorted(tombstones))
    write_text(site / TOMBSTONES, json.dumps(to_json(_Tombstones(kept)), indent=1) + "\n")
