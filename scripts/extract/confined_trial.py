"""Extracts trials by a worker, and salvages those whose files it cannot read."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.extract.confined import (
    WorkerError,
    fault_of_worker,
    made_by_worker,
    require_ending,
    run_worker,
    workshop,
)
from scripts.extract.jobs import Job
from scripts.extract.salvage import reason_of
from scripts.extract.trial_files import (
    CAPTURE,
    HANDSHAKES,
    TABLES,
    TRIAL_JSON,
    LinkError,
    trial_files,
)
from scripts.extract.trial_json import read_trial

FILES = [f"{table}.parquet" for table in TABLES]


def extract_trial(
    trial: Path,
    output: Path,
    captures: Path | None = None,
    key: Path | None = None,
    config: Path | None = None,
    salvage: bool = False,
) -> int:
    """Write the tables of a trial into the folder `output`, all or none, and return the exit status.

    Args:
        trial: the trial directory.
        output: the folder of the tables.
        captures: the folder of the captures if it is another one.
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        config: the campaign's merged configuration, needed likewise.
        salvage: whether to write the tables of a failed trial if the files of the trial cannot be read.

    Raises:
        UserError: key or config is missing, or this machine cannot run the worker. Without `salvage` also: a
            file of the trial is a link. With it only trial.json may not be one.
    """
    public = public_inputs(trial, key, config)
    if salvage:
        return _salvage(trial, output, captures, public)
    status, _ = _make_tables(trial, output, captures, public)
    require_ending(status, trial)
    return status


def _salvage(trial: Path, output: Path, captures: Path | None, public: Sequence[Path]) -> int:
    try:
        status, fault = _make_tables(trial, output, captures, public)
    except LinkError as error:
        if error.name == TRIAL_JSON:
            raise
        print(f"error: {error}", file=sys.stderr)
        status, fault = 2, error.name
    except WorkerError as error:
        print(f"error: {error}", file=sys.stderr)
        status, fault = 2, None
    if status == 0:
        return 0
    reason = reason_of(fault)
    status, _ = _make_tables(trial, output, None, public, reason)
    if status == 0:
        print(f"{trial}: {reason}; its tables are those of a failed trial", file=sys.stderr)
    return status


def _make_tables(
    trial: Path, output: Path, captures: Path | None, public: Sequence[Path], reason: str | None = None
) -> tuple[int, str | None]:
    """Let the worker make the tables; its exit status, and the name of the file that it cannot read."""
    job = Job(
        "trial", [str(trial.absolute())], captures=absolute(captures), public=absolutes(public), reason=reason
    )
    with workshop(output) as folder:
        status = run_worker(job, [*_inputs(trial, captures, reason), *public], folder)
        if status == 0:
            made = made_by_worker(folder, FILES)
            output.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                os.replace(made / name, output / name)
        return status, fault_of_worker(folder)


def _inputs(trial: Path, captures: Path | None, reason: str | None) -> list[Path]:
    """The files that the worker reads: of a salvaged trial its record alone."""
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
    record = read_trial(trial / TRIAL_JSON)
    if not record.needs_public_form:
        return []
    # The import takes long, and few trials need it.
    from scripts.extract.public_form import public_form

    public_form(record, trial, key, config)
    assert key is not None and config is not None
    return [key, config]


def absolute(path: Path | None) -> str | None:
    """A path as a job has it."""
    return None if path is None else str(path.absolute())


def absolutes(paths: Sequence[Path]) -> list[str]:
    """Paths as a job has them."""
    return [str(path.absolute()) for path in paths]
