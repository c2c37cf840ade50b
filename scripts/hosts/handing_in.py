"""Hands finished trials in: from a host's own disk to the folder of their cycle, which may be out of reach.

On the own disk, a trial has the path that it will have, below the disk's folder. So its place is known also
when the process that measured it is gone.
"""

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from scripts.base.files import wait_for_disk
from scripts.base.host import host_name

HANDED = ".handed"


def own_place(own_disk: Path, into: Path) -> Path:
    """Where a trial is measured on the own disk. `into` is absolute."""
    return own_disk / into.relative_to("/")


def specification_of(into: Path) -> Path:
    """The specification of the trial with this directory, in the folder of its cycle."""
    return (into.parents[3] / "plan/specs" / Path(*into.parts[-3:])).with_suffix(".json")


def hand_in(measured: Path, into: Path) -> bool:
    """Move a trial from the own disk to its place. A trial that is there already stays; the other one goes.

    What a killed process has copied of the trial goes, too.

    Returns:
        Whether it is the one that is there now.

    Raises:
        OSError: the folder of the cycle cannot be reached, or the trial has a link in it. The trial stays on
            the own disk.
    """
    os.stat(specification_of(into))  # Otherwise the folder that is there is not the one that all hosts share.
    first = not into.is_dir()
    if first:
        copy = into.with_name(f".{into.name}.{host_name()}-{os.getpid()}{HANDED}")
        shutil.copytree(measured, copy, copy_function=_copy_to_disk, ignore=_refuse_links)
        try:
            os.rename(copy, into)  # A directory with files in it is never replaced.
        except OSError:
            shutil.rmtree(copy, ignore_errors=True)
            if not into.is_dir():
                raise
            first = False
    for half in into.parent.glob(f".{into.name}.*{HANDED}"):
        shutil.rmtree(half, ignore_errors=True)
    shutil.rmtree(measured, ignore_errors=True)
    return first


def hand_in_kept(own_disk: Path, cycle: Path, void: Callable[[Path], None]) -> list[Path]:
    """Hand in the trials of a cycle that were kept on the own disk, if the cycle can be reached.

    Args:
        own_disk: the folder, which nobody else can write (scripts/base/own_folder.py).
        cycle: the folder of the cycle, absolute. Nothing is written elsewhere.
        void: is called with the directory of each trial that was handed in.

    Returns:
        The directories of the trials that are still kept.
    """
    kept = []
    for measured in sorted(own_place(own_disk, cycle).glob("trials/*/*/[0-9]*")):
        into = cycle / measured.relative_to(own_place(own_disk, cycle))
        try:
            first = hand_in(measured, into)
            void(into)
        except OSError as error:
            kept.append(measured)
            print(f"{measured}: cannot be handed in yet: {error}", file=sys.stderr)
        else:
            words = "handed in" if first else "another host handed this trial in before; this one is deleted"
            print(f"{into}: {words}", file=sys.stderr)
    return kept


def _refuse_links(folder: str, names: list[str]) -> list[str]:
    """For `ignore` of copytree: ignores nothing."""
    for path in (os.path.join(folder, name) for name in names):
        if os.path.islink(path):
            raise OSError(errno.ELOOP, "is a link, which no trial has; delete it", path)
    return []


def _copy_to_disk(source: str, target: str) -> None:
    """Copy a file, and wait until the disk has it."""
    shutil.copyfile(source, target)
    wait_for_disk(Path(target))
