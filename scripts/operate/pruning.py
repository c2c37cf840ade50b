"""Retention: deletes files of completed cycles from this disk after it has read their published copies back.

Of each campaign, and of all submissions together, the trials of the newest `trials_cycles` completed cycles
stay, and the working folders of the newest `work_cycles`. Of older cycles, two things go:

    the trials of a snapshot   every file below trials/ except trial.json, which pages are made from
    the working folder         data/<campaign>/<cycle>; its unpublished files can be computed again

Before the trials go, the published copy of each of their files is read back in the same run and compared with
SHA256SUMS; before a working folder goes, that of each file of the cycle's snapshots. A cycle with a revision
that is not completed keeps everything. A killed run has removed some files; the next one removes the rest.

What killed runs left on this disk goes, too. A working folder goes in one step.
"""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import readable_bytes
from scripts.base.locks import locked, remove_scratch
from scripts.base.snakemake_command import LOCK
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.cycle_names import order_of
from scripts.model.submission import is_submission
from scripts.operate.context import Context
from scripts.operate.records import read_records
from scripts.site.addresses import Place
from scripts.site.snapshots import Snapshot, read_snapshots
from scripts.snapshot.absent import Pruned, read_pruned, write_pruned
from scripts.snapshot.checksums import read_checksums

SUBMISSIONS = "submission-*"
"""Stands for the campaigns of all submissions."""

BLOCK_BYTES = 512
"""The unit of `st_blocks` (stat(2))."""
ReadBack = Callable[[Context, Mapping[Path, str]], None]
"""Reads the published copies of files of snapshots back; a UserError if a SHA-256 differs (verifying.py)."""


@dataclass(frozen=True)
class Prunable:
    """What goes of a cycle.

    Attributes:
        name: what it is, for the operator.
        files: the files that go.
        folder: the working folder, or the snapshot whose trials go.
        published: the SHA-256 of the files of snapshots whose published copies must be right.
        is_working_folder: whether the folder goes as a whole.
    """

    name: str
    files: tuple[Path, ...]
    folder: Path
    published: Mapping[Path, str]
    is_working_folder: bool = False


def prunable(context: Context) -> list[Prunable]:
    """What retention does not keep, oldest cycle first.

    Raises:
        UserError: a record or a snapshot is wrong.
    """
    candidates = []
    for cycles in _completed(context).values():
        names = sorted(cycles, key=order_of)
        retention = context.settings.retention
        for name in names[: max(0, len(names) - retention.trials_cycles)]:
            candidates += [_trials(place, snapshot) for place, snapshot in cycles[name].items()]
        for name in names[: max(0, len(names) - retention.work_cycles)]:
            candidates.append(_working_folder(context, cycles[name]))
    return [item for item in candidates if item.files]


def prune(context: Context, dry_run: bool, read_back: ReadBack) -> str:
    """Remove what retention does not keep, and what killed runs left.

    Args:
        context: the run.
        dry_run: only say what would go.
        read_back: reads published copies back.

    Returns:
        What went, or would go, for the operator.

    Raises:
        UserError: a published copy is missing or wrong. What it stands for stays; other cycles are pruned.
    """
    candidates = prunable(context)
    if dry_run:
        lines = [f"{item.name}: {_amount(item.files)}" for item in candidates]
        files = (path for item in candidates for path in item.files)
        return "\n".join([*lines, f"would free {readable_bytes(freed(files))} in all"])
    remove_leftovers(context)
    # Working folders go first: on a full disk there is no room for pruned.json before.
    pruned: dict[str, int] = {}
    errors, right = [], set[Path]()
    with snakemake_idle() as idle:
        working_folders = [item for item in candidates if item.is_working_folder and idle]
        for item in [*working_folders, *(item for item in candidates if not item.is_working_folder)]:
            try:
                pruned[item.name] = _remove(context, item, read_back, right)
            except UserError as error:
                errors.append(f"{item.name}: {error}")
    if errors:
        raise UserError("; ".join(errors))
    if not pruned:
        return "nothing to prune"
    return f"{', '.join(pruned)}: {readable_bytes(sum(pruned.values()))} freed"


def freed(files: Iterable[Path]) -> int:
    """The bytes that the removal of files frees: a file with another hard link frees none."""
    stats = [path.lstat() for path in files]
    names = Counter((stat.st_dev, stat.st_ino) for stat in stats)
    last = {(stat.st_dev, stat.st_ino): stat for stat in stats}
    return sum(stat.st_blocks * BLOCK_BYTES for key, stat in last.items() if names[key] >= stat.st_nlink)


def _completed(context: Context) -> dict[str, dict[str, dict[Place, Snapshot]]]:
    """The snapshots of every campaign's cycles of which all revisions are completed.

    Each submission is a campaign of its own with one cycle. Together they count as one campaign.
    """
    completed = {
        (record.campaign, record.cycle) for record in read_records(context.folder) if record.completed
    }
    revisions: dict[str, dict[str, dict[Place, Snapshot]]] = {}
    for place, snapshot in (read_snapshots(context.snapshots) if context.snapshots.is_dir() else {}).items():
        campaign, cycle = place.campaign, place.cycle
        if is_submission(campaign):
            campaign, cycle = SUBMISSIONS, f"{cycle} {campaign}"
        revisions.setdefault(campaign, {}).setdefault(cycle, {})[place] = snapshot
    return {
        campaign: {
            name: places
            for name, places in cycles.items()
            if all((place.campaign, place.label) in completed for place in places)
        }
        for campaign, cycles in revisions.items()
    }


def _published(snapshot: Snapshot) -> dict[Path, str]:
    """The files of a snapshot that were published and not removed since."""
    removed = {Path(file.path) for file in snapshot.tombstone.removed}
    listed = read_checksums(snapshot.folder)
    return {snapshot.folder / path: checksum for path, checksum in listed.items() if path not in removed}


def _trials(place: Place, snapshot: Snapshot) -> Prunable:
    """The trials of a snapshot, as far as they are on this disk."""
    files = {
        path: checksum
        for path, checksum in _published(snapshot).items()
        if path.is_relative_to(snapshot.folder / "trials") and path.name != TRIAL_JSON and path.exists()
    }
    name = f"the trials of {place.campaign} {place.label}"
    return Prunable(name, tuple(files), snapshot.folder, files)


def _working_folder(context: Context, places: Mapping[Place, Snapshot]) -> Prunable:
    """The working folder of a cycle, as far as it is there."""
    place = next(iter(places))
    folder = context.data / place.campaign / place.cycle
    files = tuple(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    published = {path: sha for snapshot in places.values() for path, sha in _published(snapshot).items()}
    name = f"the working folder of {place.campaign} {place.cycle}"
    return Prunable(name, files, folder, published, is_working_folder=True)


def _remove(context: Context, item: Prunable, read_back: ReadBack, right: set[Path]) -> int:
    """Remove one thing after its published copies were read back; returns the bytes that this freed.

    `right` holds the files whose copies were read back before in this run, and gets those of this one.
    """
    _check_elsewhere(context, item)
    if unread := {path: checksum for path, checksum in item.published.items() if path not in right}:
        read_back(context, unread)
    right.update(unread)
    size = freed(item.files)
    if item.is_working_folder:
        trash(item.folder)
    else:
        _remove_trials(context, item)
    return size


def _remove_trials(context: Context, item: Prunable) -> None:
    """Remove the trials of a snapshot; pruned.json says first that they may be missing."""
    with locked(item.folder):
        if read_pruned(item.folder) is None:
            total = sum(path.stat().st_size for path in item.files)
            today = context.clock.now().date().isoformat()
            remote = context.settings.publish.remote
            write_pruned(item.folder, Pruned(today, remote, len(item.files), total))
        for path in item.files:
            path.unlink()


def _check_elsewhere(context: Context, item: Prunable) -> None:
    """Refuse to remove the only copy: one that was published in the folder where it is."""
    remote = context.settings.publish.remote
    if ":" in remote:
        return
    root = Path(remote).resolve()
    places = [root, *(path.resolve() for path in root.glob("captures/*/*"))]
    snapshots = {path.resolve() for path in context.snapshots.glob("[!.]*")} | {item.folder.resolve()}
    if any(place.is_relative_to(snapshot) for place in places for snapshot in snapshots):
        problem = f"{remote}: is the folder on this disk from which it was published, so nothing is removed"
        raise UserError(f"{problem}; publish to another folder or remote (publish.remote)")


def _amount(files: Iterable[Path]) -> str:
    sizes = [path.lstat().st_size for path in files]
    return f"{len(sizes)} files, {readable_bytes(sum(sizes))}"


TRASH = ".pruned"
"""data/<campaign>/.pruned/<cycle>: a working folder that is being deleted."""
TEMPORARY = re.compile(r"\..+\.([0-9]+)")
"""A file that is not whole yet has the id of its process at its end (scripts/base/files.py)."""


def trash(folder: Path) -> None:
    """Remove a working folder: it vanishes in one step, then it is deleted; at once if the disk is full."""
    doomed = folder.parent / TRASH / folder.name
    try:
        doomed.parent.mkdir(exist_ok=True)
        folder.rename(doomed)
    except OSError:
        shutil.rmtree(folder)
        return
    shutil.rmtree(doomed)
    doomed.parent.rmdir()


def remove_leftovers(context: Context) -> None:
    """Delete the working folders, scratch folders and temporary files that killed runs left."""
    for doomed in context.data.glob(f"*/{TRASH}"):
        shutil.rmtree(doomed)
    if context.snapshots.is_dir():
        remove_scratch(context.snapshots)
    for folder in (context.data, context.folder, context.snapshots):
        for path in folder.glob("*/.*"):
            named = TEMPORARY.fullmatch(path.name)
            if named and path.is_file() and not Path("/proc", named[1]).exists():
                path.unlink()


@contextmanager
def snakemake_idle() -> Iterator[bool]:
    """Whether no Snakemake runs in this directory. If so, none can start within this context."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(Path(LOCK), wait=False))
        except BlockingIOError:
            yield False
        else:
            yield True
