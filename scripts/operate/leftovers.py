"""What killed runs left on this disk, and the removal of a working folder in one step."""

import fcntl
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.operate.context import Context
from scripts.snapshot.folders import remove_scratch

TRASH = ".pruned"
"""data/<campaign>/.pruned/<cycle>: a working folder that is being deleted."""
TEMPORARY = re.compile(r"\..+\.([0-9]+)")
"""A file that is not whole yet has the id of its process at its end (scripts/base/files.py)."""
SNAKEMAKE_LOCK = Path(".snakemake.lock")
"""Held while Snakemake runs."""


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
    with SNAKEMAKE_LOCK.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
