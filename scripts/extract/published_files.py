"""The files of a published trial. What a trial and its published form have alike is on the disk once."""

import filecmp
from collections.abc import Iterable
from pathlib import Path

from scripts.base.files import link
from scripts.extract.trial_files import PRIVATE, meaning


def is_publishable(name: str) -> bool:
    """Whether the published form of a trial may have a file of this name."""
    return meaning(name) is not None and name not in PRIVATE


def link_published(files: Iterable[Path], folder: Path) -> None:
    """Make a folder of hard links to the published ones among these files."""
    folder.mkdir(parents=True)
    for path in files:
        if path.name not in PRIVATE:
            link(path, folder / path.name)


def keep_once(trial: Path, form: Path) -> None:
    """Replace each copy in `form` that has the bytes of the trial's file by a hard link to that file."""
    for copy in form.iterdir():
        source = trial / copy.name
        is_there = meaning(copy.name) and source.is_file() and not source.is_symlink()
        if is_there and filecmp.cmp(source, copy, shallow=False):
            copy.unlink()
            link(source, copy)
