"""Build the archive: published cycles stay as they are, new ones are added, all other pages are made again.

A cycle is built once, from its snapshot. Later builds take its pages and tables over as hard links. They
change nothing but the status line of its pages (scripts/site/status.py). Another snapshot of a published
cycle changes nothing, with a warning. A site that has no other cycle may show lean snapshots (lean_site.py).
"""

import os
import sys
import time
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.processes import map_in_processes
from scripts.model.durations import readable
from scripts.model.operation import Status, read_status
from scripts.model.submission import is_submission, read_submissions, withdrawn_after_measuring
from scripts.site.addresses import Place, provisional
from scripts.site.assembly import assembling
from scripts.site.cycle.build_cycle import PagesTarget, build_cycle
from scripts.site.data.index import write_index
from scripts.site.data.manifest import write_manifest
from scripts.site.data.summarise import write_summary
from scripts.site.data.summary import Summary
from scripts.site.data.tables_v1 import write_tables
from scripts.site.lean_site import has_other_cycles, is_lean_site, unpack_lean
from scripts.site.previous_site import (
    carry_cycle,
    carry_folder,
    cycles_of,
    link_captures,
    operation_of,
    pages_of,
    provisional_of,
    tombstones_of,
    withdrawn_of,
    write_tombstones,
)
from scripts.site.root.build_root import build_root
from scripts.site.settings import SiteSettings
from scripts.site.snapshots import Snapshot, read_snapshots
from scripts.site.status import root_of, status_of, status_words, write_status
from scripts.snapshot.absent import Tombstone, verify_checksums
from scripts.snapshot.identity import Provisional, write_provisional

FEW = 3
"""A further process is worth its start if it builds so many cycles."""


def build_archive(
    snapshots: Path,
    output: Path,
    settings: SiteSettings,
    operation: Path | None = None,
    submissions: Path | None = None,
    lean: bool = False,
) -> None:
    """Add the snapshots that are new to the site `output`, and make its other pages again.

    Cycles of the site whose snapshot is gone stay, those of withdrawn submissions go. If a cycle cannot be
    built, the old site stays whole.

    Args:
        snapshots: the folder of the snapshots.
        output: the site.
        settings: those of the site.
        operation: status.json of unattended operation; None: the one that the old site has, if it has one.
        submissions: the data folder with the records of submissions; None: the number of those that were
            withdrawn stays as it is.
        lean: show the lean snapshots in lean/ of `snapshots` if there is no other cycle.

    Raises:
        UserError: a snapshot is damaged, or is the same cycle as another one; or `output` is something else
            than a site; or the status or a submission cannot be read.
    """
    status = read_status(operation) if operation else None
    records = read_submissions(submissions) if submissions else []
    withdrawn = withdrawn_after_measuring(records) if submissions else None
    gone = {record.campaign for record in records if record.withdrawn}
    output, every = output.resolve(), read_snapshots(snapshots)
    with assembling(output) as site:
        if lean and not every and not has_other_cycles(output):
            every = unpack_lean(snapshots, site)
        published = _carry_cycles(output, site, every, gone)
        kept = {place: snapshot for place, snapshot in every.items() if place.campaign not in gone}
        of_site = {place: snapshot for place, snapshot in kept.items() if _is_of(snapshot, place, published)}
        new = {place: snapshot for place, snapshot in of_site.items() if place not in published}
        published |= build_cycles(new, site, settings)
        for place in published:
            trials = _trials(of_site[place].folder, site, output) if place in of_site else None
            link_captures(output, site, output, place, settings.captures, trials)
        tombstones = tombstones_of(output) | {
            place: snapshot.tombstone for place, snapshot in of_site.items()
        }
        finish(output, site, settings, published, tombstones, status, withdrawn)


def build_provisional(source: Path, output: Path, settings: SiteSettings, running: Provisional) -> None:
    """Replace the provisional pages of a campaign in the site `output`.

    Args:
        source: tables and charts so far, in the layout of a snapshot (scripts/snapshot/trials_so_far.py).
        output: the site.
        settings: those of the site.
        running: the cycle, and how far it is.

    Raises:
        UserError: the source lacks something, or `output` is something else than a site; or the cycle is that
            of a submission.
    """
    if is_submission(running.campaign):
        raise UserError(f"{source}: is a submission, which has no provisional pages; build its unlisted ones")
    output = output.resolve()
    with assembling(output) as site:
        published = _carry_cycles(output, site, {})
        for place in published:
            link_captures(output, site, output, place, settings.captures, None)
        pages = provisional(running.campaign)
        build_cycle(source, site / pages, PagesTarget(pages, None, None, running))
        write_provisional(site / pages, running)
        finish(output, site, settings, published, tombstones_of(output))


def _carry_cycles(
    old: Path, site: Path, snapshots: Mapping[Place, Snapshot], without: Collection[str] = ()
) -> dict[Place, Summary]:
    """Take over every cycle of the old site, except those of some campaigns.

    Of a site of lean snapshots only those cycles are taken over whose snapshot is there as it was.
    """
    published = {place: summary for place, summary in cycles_of(old).items() if place.campaign not in without}
    if is_lean_site(old):
        checksums = {place: snapshot.checksum for place, snapshot in snapshots.items()}
        published = {
            place: summary for place, summary in published.items() if checksums.get(place) == summary.checksum
        }
    for place in published:
        carry_cycle(old, site, place)
    return published


def _trials(snapshot: Path, site: Path, output: Path) -> Path:
    """The trials of a snapshot. A lean one is in the site, and moves with it to `output`."""
    folder = output / snapshot.relative_to(site) if snapshot.is_relative_to(site) else snapshot
    return folder / "trials"


def _is_of(snapshot: Snapshot, place: Place, published: Mapping[Place, Summary]) -> bool:
    """Whether a snapshot is new, or the one from which the cycle was published; a warning if not."""
    if place not in published or snapshot.checksum == published[place].checksum:
        return True
    problem = f"warning: {snapshot.folder}: is not the snapshot from which {place.pages} was published"
    remedy = f"restore that one, or publish a correction: freeze --revision {place.revision + 1}"
    print(f"{problem}, so the pages stay as they are; {remedy}", file=sys.stderr, flush=True)
    return False


def build_cycles(new: Mapping[Place, Snapshot], site: Path, settings: SiteSettings) -> dict[Place, Summary]:
    """Build the cycles that are not published yet, with a line about each: many on all processors.

    Raises:
        UserError: a snapshot is damaged.
    """
    built: dict[Place, Summary] = {}
    began_s = time.monotonic()
    # The pages of a correction are inside the folder of the first revision, so they come after it.
    for corrections in (False, True):
        places = [place for place in new if (place.revision > 1) == corrections]
        processes = min(len(os.sched_getaffinity(0)), len(places) // FEW)
        folders = [new[place].folder for place in places]
        summaries = map_in_processes(partial(_build, site, settings), places, folders, processes=processes)
        for place, summary in zip(places, summaries, strict=True):
            built[place] = summary
            left = len(new) - len(built)
            left_s = (time.monotonic() - began_s) / len(built) * left
            more = f"; {left} more, about {readable(left_s)}" if left else ""
            print(f"built {place.pages}{more}", flush=True)
    return built


def _build(site: Path, settings: SiteSettings, place: Place, snapshot: Path) -> Summary:
    """Build the pages and tables of a cycle, if its snapshot is as it was frozen."""
    verify_checksums(snapshot)
    pages, captures = site / place.pages, place.captures(settings.captures)
    target = PagesTarget(
        place.pages,
        captures,
        place.label,
        address=settings.address,
        doi=settings.doi,
        unlisted=settings.unlisted,
    )
    build_cycle(snapshot, pages, target)
    tables = write_tables(snapshot, site, place)
    summary = write_summary(snapshot, pages, place, tables)
    write_manifest(snapshot, site, pages, place, captures)
    return summary


def finish(
    old: Path,
    site: Path,
    settings: SiteSettings,
    published: Mapping[Place, Summary],
    tombstones: Mapping[Place, Tombstone],
    operation: Status | None = None,
    withdrawn: int | None = None,
) -> None:
    """Make everything that is made again in each build.

    Args:
        old: the old site, whose provisional pages and status stay.
        site: the site that is assembled, with the pages of all cycles.
        settings: those of the site.
        published: the cycles.
        tombstones: what was removed from their snapshots; those of other cycles do not count.
        operation: how unattended operation stands; None: as the old site has it.
        withdrawn: how many submissions were withdrawn after they were measured; None: as the old site has it.

    Raises:
        UserError: a summary cannot be read, or Hugo is not installed.
    """
    for running in provisional_of(old):
        pages = provisional(running.campaign)
        if Place(running.campaign, running.cycle) not in published and not (site / pages).exists():
            carry_folder(old / pages, site / pages)
    tombstones = {place: tombstone for place, tombstone in tombstones.items() if place in published}
    _write_statuses(site, published, tombstones)
    write_tombstones(site, tombstones)
    write_index(site, [published[place] for place in sorted(published)])
    withdrawn = withdrawn_of(old) if withdrawn is None else withdrawn
    build_root(site, settings, tombstones, provisional_of(site), operation or operation_of(old), withdrawn)


def _write_statuses(
    site: Path, published: Mapping[Place, Summary], tombstones: Mapping[Place, Tombstone]
) -> None:
    """Give every cycle its status. All its pages have the same one, so its first page stands for all."""
    for place in published:

        def words(root: str, place: Place = place) -> str:
            return status_words(place, published, tombstones.get(place, Tombstone()), root)

        first = site / place.pages / "index.html"
        if status_of(first) != words(root_of(first, site)):
            write_status(site, pages_of(site, place), words)
