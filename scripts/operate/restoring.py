"""Restore what a bare host needs: records, snapshots without their captures, and their chain.

Somebody else may have written to the remote. So each snapshot is first fetched into data/operate/restore/ and
verified as any reader does: signature, chain, name, checksums. Nothing of it is signed again
(scripts/snapshot/sign.py). Pages are not fetched but built from the snapshots. Nothing that exists is
replaced. An interrupted restore goes on where it was. Nothing is published before it is complete.

At the end the new snapshots are added to the site. Its pages about all cycles and the status are made
again.
"""

import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.extract.byte_progress import ByteProgress
from scripts.extract.trial_files import TRIAL_JSON
from scripts.operate.children import build_site
from scripts.operate.context import Context
from scripts.operate.layout import CAPTURES, CHAIN_FILES, RECORDS, SNAPSHOTS, SUCCESSORS, TRIALS
from scripts.operate.remote import Remote
from scripts.site.addresses import Place
from scripts.site.headers import UNLISTED_ADDRESSES
from scripts.snapshot.absent import Pruned, read_tombstone, write_pruned
from scripts.snapshot.chain import CHAIN_FILE as CHAIN
from scripts.snapshot.checksums import read_checksums
from scripts.snapshot.identity import read_identity
from scripts.snapshot.source import Folder, read_if_there
from scripts.snapshot.trust import Policy
from scripts.snapshot.verify import verify

WORK = "restore"


def refuse_unfinished(context: Context) -> None:
    """Raise UserError if a restore was interrupted."""
    if (context.folder / WORK).exists():
        problem = f"{context.folder / WORK}: a restore was interrupted"
        raise UserError(f"{problem}; run python -m scripts.operate restore with the same remote again")


def restore(
    context: Context, place: str, policy: Policy, build: Callable[[Context], str] = build_site
) -> str:
    """Restore records and snapshots without captures from a remote, and build the site from them.

    Args:
        context: the folders, and rclone's configuration.
        place: the remote.
        policy: what is asked of each snapshot. The chain of the remote must continue that of its `archive`.
        build: builds the site.

    Raises:
        UserError: the remote has nothing, something here differs from it, or a snapshot must not be used.
    """
    remote = Remote(place, context.settings.publish.rclone_config)
    there = remote.listing()
    own = sorted(
        name for name in there if name.startswith((RECORDS, SNAPSHOTS)) and not name.startswith(SUCCESSORS)
    )
    if not own:
        raise UserError(f"{place}: has no published snapshot; name the remote with its path")
    work = context.folder / WORK
    own = _missing(remote, context.data, own, _units(own))
    folders = {name.split("/")[1] for name in own if name.startswith(SNAPSHOTS)}
    records = sorted(
        name for name in there if name.endswith(f"/{TRIAL_JSON}") and _folder_of_capture(name) in folders
    )
    work.mkdir(parents=True, exist_ok=True)
    with ByteProgress(sum(there[name] for name in (*own, *records)), "received") as sending:
        _fetch(remote, [*own, *records], work, there, sending)
    _check_chain(context, work, place, policy)
    snapshots = sorted(path for path in (work / SNAPSHOTS).glob("*") if path.is_dir())
    for snapshot in snapshots:
        _check_snapshot(context, snapshot, place, there, policy)
    if place == context.settings.publish.remote:  # the submissions are lost, so nobody could withdraw these
        remote.delete(sorted(name for name in there if name.startswith(UNLISTED_ADDRESSES)))
    _put_in_place(context, work, snapshots)
    built = build(context)
    shutil.rmtree(work)
    return f"{len(snapshots)} snapshots without captures restored from {place}; {built}"


def _folder_of_capture(name: str) -> str | None:
    """The folder of the snapshot that a trial's file belongs to; None for other files."""
    if not name.startswith(CAPTURES) or name.count("/") < 3:
        return None
    campaign, label = name.removeprefix(CAPTURES).split("/", 2)[:2]
    cycle, dot, revision = label.rpartition(".r")
    return f"{campaign}-{cycle}-r{revision}" if dot else f"{campaign}-{label}"


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
    remote: Remote, names: list[str], folder: Path, there: Mapping[str, int], sending: ByteProgress
) -> None:
    """Fetch files into a folder, after removing everything else from it."""
    wanted = set(names)
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    if names:
        sending.begin(folder.name, sum(there[name] for name in names))
        remote.fetch(names, folder, sending.show)


def _check_chain(context: Context, work: Path, place: str, policy: Policy) -> None:
    """Compare the chain with one that the operator has from before."""
    if policy.archive is None:
        return
    files = [folder / CHAIN for folder in (work / SNAPSHOTS, context.snapshots)]
    content = next((file.read_bytes() for file in files if file.is_file()), b"")
    if not content.startswith(read_if_there(policy.archive, PurePosixPath(CHAIN)) or b""):
        problem = f"{place}: its {CHAIN} does not continue that of {policy.archive.title}"
        raise UserError(f"{problem}; the remote is older, or was changed; restore another copy")


def _check_snapshot(
    context: Context, snapshot: Path, place: str, there: Mapping[str, int], policy: Policy
) -> None:
    """Complete a snapshot without captures by pruned.json, and verify it as a reader does."""
    identity = read_identity(snapshot)
    if snapshot.name != identity.folder:
        raise UserError(f"{place}: {snapshot.name} is {identity.folder}; restore it there under that name")
    captures = Place(identity.campaign, identity.cycle, identity.revision).captures(CAPTURES)
    shutil.rmtree(snapshot / TRIALS, ignore_errors=True)
    _move(snapshot.parents[1] / captures, snapshot / TRIALS)
    removed = {Path(file.path) for file in read_tombstone(snapshot).removed}
    trials = [path for path in read_checksums(snapshot) if path.parts[0] == TRIALS and path not in removed]
    for path in trials:
        if path.name == TRIAL_JSON and not (snapshot / path).is_file():
            problem = f"{place}: lacks {path.name} of {path.parent} of {snapshot.name}"
            raise UserError(f"{problem}; restore it there from another copy, then run this again")
    published = [captures + path.relative_to(TRIALS).as_posix() for path in trials if path.name != TRIAL_JSON]
    lost = [address for address in published if address not in there]
    if lost:
        print(f"warning: {place}: lacks {lost[0]}, and {len(lost) - 1} more captures", file=sys.stderr)
    size = sum(there.get(address, 0) for address in published)
    write_pruned(snapshot, Pruned(context.clock.now().date().isoformat(), place, len(published), size))
    verify(Folder(snapshot), replace(policy, archive=None))


def _move(source: Path, target: Path) -> None:
    """Move a file or a folder if it is there."""
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)


def _put_in_place(context: Context, work: Path, snapshots: Iterable[Path]) -> None:
    """Move what was fetched and verified to where it belongs, the records last."""
    context.snapshots.mkdir(parents=True, exist_ok=True)
    for snapshot in snapshots:
        snapshot.rename(context.snapshots / snapshot.name)
    for name in CHAIN_FILES:
        _move(work / SNAPSHOTS / name, context.snapshots / name)
    for record in sorted((work / RECORDS).glob("*.json")):
        _move(record, context.data / RECORDS / record.name)
