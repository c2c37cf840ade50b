"""Replaces a trial by its published form, in one step."""

import shutil
from collections.abc import Callable
from pathlib import Path

from scripts.base.exchange import exchange as exchange_folders
from scripts.base.files import link, wait_for_disk
from scripts.base.locks import locked
from scripts.extract.published_files import link_published
from scripts.extract.trial_files import outline_of, trial_files

LOGS = "logs"

Exchange = Callable[[Path, Path], bool]


def reduce_trial(trial: Path, published: Path, exchange: Exchange = exchange_folders) -> str | None:
    """Replace a trial by hard links to its published files, unless that was done before.

    Args:
        trial: the trial directory.
        published: its published form, on the same file system.
        exchange: exchanges two folders in one step, or returns False.

    Returns:
        Why the raw form stays; None if the trial is in its published form.

    Raises:
        UserError: a record is missing or damaged.
    """
    work = trial.with_name(f".{trial.name}.reduced")
    with locked(trial.parent):  # a killed Snakemake may leave a command that still works on the same trial
        shutil.rmtree(work, ignore_errors=True)
        if outline_of(trial).published:
            return None
        try:
            link_published(trial_files(published), work)
            done = _put_in_place(trial, work, exchange)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return None if done else "this file system cannot exchange two folders"


def _put_in_place(trial: Path, form: Path, exchange: Exchange) -> bool:
    """Exchange the trial and its published form; False if that is impossible."""
    if outline_of(trial).failed and (trial / LOGS).is_dir():
        shutil.copytree(trial / LOGS, form / LOGS, symlinks=True, copy_function=link)
    wait_for_disk(*(path for path in form.iterdir() if path.is_file()), form)  # No crash loses both forms.
    if not exchange(form, trial):
        return False
    wait_for_disk(trial.parent)
    return True
