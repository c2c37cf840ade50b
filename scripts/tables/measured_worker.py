"""Makes everything of a measured trial. It reads what strangers sent.

    python -m scripts.tables.measured_worker JOB

is internal: scripts/tables/measured_trial.py starts it, confined, in a folder of its own. JOB is JSON
(scripts/extract/jobs.py). The published form comes first. The tables of packets are extracted from it, and
the rows are made of these tables.
"""

import gc

gc.disable()  # before the imports: it would search 160 times, 0.05 s together, and find nothing

import os
import sys
from pathlib import Path

from scripts.base.errors import UserError
from scripts.extract.extract_trial import extract
from scripts.extract.jobs import MADE, PARQUET, PUBLISHED, ROWS, ExtractionJob
from scripts.extract.published_trial import publish
from scripts.extract.trial_files import TRIAL_JSON
from scripts.extract.trial_json import read_trial
from scripts.extract.worker import main, public_of, record_of
from scripts.tables.calibration_table import build_calibration
from scripts.tables.trial_tables import build_trial


def make(job: ExtractionJob) -> int:
    """Make in MADE what a job of measured_trial.py asks for."""
    trial = record_of(job)
    record = read_trial(trial / TRIAL_JSON)
    form, parquet = trial, Path(job.parquet or MADE / PARQUET)
    if job.parquet is None:
        if job.reason is not None or not record.published:
            form = MADE / PUBLISHED
            publish(trial, form, *public_of(job))
        extract(form, parquet)
    assert job.config is not None
    try:
        if record.calibration is None:
            build_trial(parquet, MADE / ROWS, Path(job.config))
        else:
            build_calibration(form, parquet, MADE / ROWS, Path(job.config))
    except UserError as error:
        raise UserError(f"{ROWS}: {error}") from error
    return 0


if __name__ == "__main__":
    status = main({"measured": make})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # everything is written, and the end of the interpreter would take 0.07 s
