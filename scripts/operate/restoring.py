"""Restore what a bare host needs: records, snapshots without their trials, their chain, and the site.

Everything is first fetched into two folders, data/operate/restore/ and .public.restoring/ beside the site. If
all checksums are right, it is put into its place: the site, then the snapshots, then the records. Nothing
that exists is replaced. An interrupted restore goes on where it was. Nothing is published before it is
complete.
"""

import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.operate.context import FOLDER, Context
from scripts.operate.layout import CAPTURES, CHAIN_FILES, RECORDS, SNAPSHOTS, SUCCESSORS, TRIALS
from scripts.operate.remote import Remote
from scripts.site.addresses import Place
from scripts.site.data.manifest import NAME as MANIFEST
from scripts.site.headers import UNLISTED_ADDRESSES
from scripts.snapshot.checksums import digest, read_checksums
from scripts.snapshot.identity import read_identity
from scripts.snapshot.pruned import Pruned, write_pruned
from scripts.snapshot.tombstone import read_tombstone
from scripts.snapshot.transfer import Transfer

WORK = "restore"


def refuse_unfinished(context: Context) -> None:
    """Raise UserError if a restore was interrupted."""
    if (context.folder / WORK).exists():
        problem = f"{context.folder / WORK}: a restore was interrupted"
        raise UserError(f"{problem}; run python -m scripts.operate restore with the same remote again")


def restore(context: Context, place: str) -> str:
    """Restore records, snapshots without trials, and the site from a remote.

    Args:
        context: the folders, and rclone's configuration.
        place: the remote.

    Raises:
        UserError: the remote has nothing, something here differs from it, or a checksum is wrong.
    """
    remote = Remote(place, context.settings.publish.rclone_config)
    there = remote.listing()
    own = sorted(
        name for name in there if name.startswith((RECORDS, SNAPSHOTS)) and not name.startswith(SUCCESSORS)
    )
    site = sorted(
        name for name in there if not name.startswith((CAPTURES, SNAPSHOTS, UNLISTED_ADDRESSES, f"{FOLDER}/"))
    )
    if "index.html" not in site:
        raise UserError(f"{place}: has no published site; name the remote with its path")
    work, fresh = context.folder / WORK, context.public.with_name(f".{context.public.name}.restoring")
    own = _missing(remote, context.data, own, _units(own))
    site = _missing(remote, context.public, site, {"": site})
    work.mkdir(parents=True, exist_ok=True)
    with Transfer(sum(there[name] for name in (*own, *site)), "received") as sending:
        for names, folder in ((own, work), (site, fresh)):
            _fetch(remote, names, folder, there, sending)
    if not site:
        shutil.rmtree(fresh, ignore_errors=True)
    _check_site(fresh)
    snapshots = sorted(path for path in (work / SNAPSHOTS).glob("*") if path.is_dir())
    for snapshot in snapshots:
        _check_snapshot(context, snapshot, place, there)
    _put_in_place(context, work, fresh, snapshots)
    return (
        f"{len(snapshots)} snapshots without trials and {len(site)} files of the site restored from {place}"
    )


def _units(names: Iterable[str]) -> dict[str, list[str]]:
    """The files of each snapshot and each record: what is there as a whole, or not at all."""
    units: dict[str, list[str]] = {}
    for name in names:
        key = name if name.startswith(RECORDS) else "/".join(name.split("/")[:2])
        units.setdefault(key, []).append(name)
    return units


def _missing(remote: Remote, folder: Path, names: list[str], units: Mapping[str, list[str]]) -> list[str]:
    """The files that are to be fetched: those of units that are not here.

    Raises:
        UserError: a unit is here and differs from the published one.
    """
    present = [key for key in units if _exists(folder / key)]
    kept = [name for key in present for name in units[key]]
    different = remote.differences(folder, kept)
    if different:
        problem = f"{folder / different[0]}: differs from the published one, or is missing"
        raise UserError(f"{problem}; nothing is replaced; move it elsewhere")
    return sorted(set(names) - set(kept))


def _exists(path: Path) -> bool:
    """Whether there is a file, or a folder with something in it."""
    return path.is_file() or (path.is_dir() and any(path.iterdir()))


def _fetch(
    remote: Remote, names: list[str], folder: Path, there: Mapping[str, int], sending: Transfer
) -> None:
    """Fetch files into a folder, after removing everything else from it."""
    wanted = set(names)
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    if names:
        sending.begin(folder.name, sum(there[name] for name in names))
        remote.fetch(names, folder, sending.show)


def _check_site(site: Path) -> None:
    """Compare charts, tables and summaries with the manifests of their cycles."""
    for manifest in site.glob(f"cycles/**/{MANIFEST}"):
        for row in pq.read_table(manifest, columns=["address", "kind", "sha256"]).to_pylist():
            path = site / row["address"]
            if row["address"].startswith(("cycles/", "data/")):
                _check_file(path, row["sha256"])


def _check_snapshot(context: Context, snapshot: Path, place: str, there: Mapping[str, int]) -> None:
    """Compare a snapshot without trials with its SHA256SUMS, and write its pruned.json."""
    identity, removed = read_identity(snapshot), {one.path for one in read_tombstone(snapshot).removed}
    captures = Place(identity.campaign, identity.cycle, identity.revision).captures(CAPTURES)
    published = []
    for path, checksum in read_checksums(snapshot).items():
        if path.parts[0] != TRIALS:
            _check_file(snapshot / path, checksum)
        elif path.as_posix() not in removed:
            published.append(captures + path.relative_to(TRIALS).as_posix())
    lost = [address for address in published if address not in there]
    if lost:
        print(f"warning: {place}: lacks {lost[0]}, and {len(lost) - 1} more captures", file=sys.stderr)
    size = sum(there.get(address, 0) for address in published)
    write_pruned(snapshot, Pruned(context.clock.now().date().isoformat(), place, len(published), size))


def _check_file(path: Path, checksum: str) -> None:
    if not path.is_file() or digest(path) != checksum:
        problem = f"{path}: is missing or damaged on the remote"
        raise UserError(f"{problem}; restore it there from another copy, then run this again")


def _put_in_place(context: Context, work: Path, fresh: Path, snapshots: Iterable[Path]) -> None:
    """Move what was fetched and checked to where it belongs, the records last."""
    if fresh.is_dir():
        if context.public.is_dir():
            context.public.rmdir()
        fresh.rename(context.public)
    for snapshot in snapshots:
        context.snapshots.mkdir(parents=True, exist_ok=True)
        snapshot.rename(context.snapshots / snapshot.name)
    for name in CHAIN_FILES:
        if (work / SNAPSHOTS / name).is_file():
            context.snapshots.mkdir(parents=True, exist_ok=True)
            (work / SNAPSHOTS / name).rename(context.snapshots / name)
    for record in sorted((work / RECORDS).glob("*.json")):
        target = context.data / RECORDS / record.name
        target.parent.mkdir(parents=True, exist_ok=True)
        record.rename(target)
    shutil.rmtree(work)
