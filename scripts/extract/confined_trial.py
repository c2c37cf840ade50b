"""Extracts trials by a worker."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.extract.confined import made_by_worker, require_ending, run_worker, workshop
from scripts.extract.jobs import ExtractionJob
from scripts.extract.trial_files import CAPTURE, HANDSHAKES, TABLES, TRIAL_JSON, outline_of, trial_files

FILES = [f"{table}.parquet" for table in TABLES]


def extract_trial(
    trial: Path,
    output: Path,
    captures: Path | None = None,
    key: Path | None = None,
    config: Path | None = None,
) -> int:
    """Write the tables of a trial into the folder `output`, all or none, and return the exit status.

    Args:
        trial: the trial directory.
        output: the folder of the tables.
        captures: the folder of the captures if it is another one.
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        config: the campaign's merged configuration, needed likewise.

    Raises:
        UserError: key or config is missing, a file of the trial is a link, or this machine cannot run the
            worker.
    """
    public = public_inputs(trial, key, config)
    job = ExtractionJob("trial", absolutes([trial]), captures=_absolute(captures), public=absolutes(public))
    with workshop(output) as folder:
        status = run_worker(job, [*inputs_of(trial, captures), *public], folder)
        require_ending(status, trial)
        if status == 0:
            made = made_by_worker(folder, FILES)
            output.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                os.replace(made / name, output / name)
    return status


def inputs_of(trial: Path, captures: Path | None = None, reason: str | None = None) -> list[Path]:
    """The files that the worker reads. With a reason, the trial is salvaged: only its record is read.

    Raises:
        UserError: one is a link, or tshark is needed and missing.
    """
    if reason is not None:
        return [trial / TRIAL_JSON]
    files = trial_files(trial)
    if (trial / HANDSHAKES) in files and shutil.which("tshark") is None:
        raise UserError("tshark: is not installed; run make setup")
    if captures is None:
        return files
    others = [path for path in trial_files(captures) if CAPTURE.fullmatch(path.name)]
    return [*(path for path in files if not CAPTURE.fullmatch(path.name)), *others]


def public_inputs(trial: Path, key: Path | None, config: Path | None) -> list[Path]:
    """The key, made if it is missing, and the configuration; nothing if the trial needs neither."""
    if not outline_of(trial).may_be_live:
        return []
    # The imports take long, and few trials need them.
    from scripts.extract.public_form import public_form
    from scripts.extract.trial_json import read_trial

    record = read_trial(trial / TRIAL_JSON)
    if not record.needs_public_form:
        return []
    public_form(record, trial, key, config)
    assert key is not None and config is not None
    return [key, config]


def absolutes(paths: Sequence[Path]) -> list[str]:
    """Paths as a job has them."""
    return [str(path.absolute()) for path in paths]


def _absolute(path: Path | None) -> str | None:
    return None if path is None else str(path.absolute())
