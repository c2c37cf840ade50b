"""Salvages a trial whose files cannot be read: it counts as failed, with a reason of the testbed's own words.

Its tables and its published copy are those of a failed trial that left trial.json alone.
"""

import json
import re
from pathlib import Path

from scripts.base.files import read_json
from scripts.extract.jobs import ROWS
from scripts.extract.trial_files import TRIAL_JSON, meaning

SALVAGED = re.compile(r"(the [a-z ]+|the capture of c[1-9][0-9]*) cannot be (read|made)")


def reason_of(fault: str | None) -> str:
    """The reason, from the name of the file that cannot be read; None if it is not known which."""
    if fault == ROWS:
        return "the rows of the trial cannot be made"
    return f"{meaning(fault or '') or 'the files of the trial'} cannot be read"


def is_salvaged(reason: str | None) -> bool:
    """Whether this is the reason of a salvaged trial."""
    return reason is not None and SALVAGED.fullmatch(reason) is not None


def write_record(trial_directory: Path, reason: str, folder: Path) -> Path:
    """Make `folder` with the trial's record as that of a failed trial; returns the folder."""
    record = read_json(trial_directory / TRIAL_JSON) | {"status": "failed", "reason": reason}
    folder.mkdir()
    (folder / TRIAL_JSON).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return folder
