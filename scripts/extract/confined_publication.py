"""Publishes trials by a worker. What a trial and its published form have alike is on the disk once."""

import filecmp
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from scripts.base.files import link
from scripts.extract.confined import made_by_worker, require_ending, run_worker, workshop
from scripts.extract.confined_trial import absolute, absolutes, public_inputs
from scripts.extract.jobs import MADE, Job
from scripts.extract.trial_files import CAPTURE, KNOWN, PRIVATE, TRIAL_JSON, is_regular, meaning
from scripts.extract.trial_json import read_trial


def publish_trial(
    trial: Path,
    output: Path,
    extracted: Path | None = None,
    key: Path | None = None,
    config: Path | None = None,
) -> int:
    """Write the published subset of a trial, whole or not at all, and return the exit status.

    Links are left out. A file that is published as it is becomes a hard link, and so does every file of a
    trial that is in its published form already.

    Args:
        trial: the trial directory.
        output: the folder of the published copy.
        extracted: clients.parquet of the trial. If the trial was salvaged, its record alone is published. The
            limits of time are twice those of the extraction, so that what was extracted can be published.
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        config: the campaign's merged configuration, needed likewise.

    Raises:
        UserError: key or config is missing, or this machine cannot run the worker.
    """
    inputs = [path for path in trial.iterdir() if meaning(path.name) and is_regular(path)]
    with workshop(output) as folder:
        if read_trial(trial / TRIAL_JSON).published:
            link_published(inputs, folder / MADE)
        else:
            public = public_inputs(trial, key, config)
            status = _publish_by_worker(trial, inputs, folder, extracted, public)
            if status != 0:
                return status
        shutil.rmtree(output, ignore_errors=True)
        os.rename(folder / MADE, output)
    return 0


def link_published(files: Sequence[Path], folder: Path) -> None:
    """Make a folder of hard links to those of these files that are published."""
    folder.mkdir(parents=True)
    for path in files:
        if path.name not in PRIVATE:
            link(path, folder / path.name)


def _publish_by_worker(
    trial: Path, inputs: Sequence[Path], folder: Path, extracted: Path | None, public: Sequence[Path]
) -> int:
    """Let the worker make the published form in a workshop; its exit status."""
    job = Job("publish", absolutes([trial]), extracted=absolute(extracted), public=absolutes(public))
    others = [*public, *([extracted] if extracted else [])]
    status = run_worker(job, [*inputs, *others], folder, patience=2)
    require_ending(status, trial)
    if status == 0:
        captures = {path.name for path in inputs if CAPTURE.fullmatch(path.name)}
        made = made_by_worker(folder, [TRIAL_JSON], captures | KNOWN.keys() - set(PRIVATE))
        for path in inputs:
            _keep_once(path, made / path.name)
    return status


def _keep_once(source: Path, copy: Path) -> None:
    """Replace a copy with the same bytes as its source by a hard link to the source."""
    if copy.is_file() and filecmp.cmp(source, copy, shallow=False):
        copy.unlink()
        link(source, copy)
