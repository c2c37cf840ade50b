"""Needs the trials. Makes of each trial its published form, its Parquet files, and its rows of the tables.

With reduce=True the published form takes the place of the trial, before the next one begins.
"""

from scripts.tables.table_list import files_of, names_of

# Made when the first trial with a live service needs it. It is never published or frozen, and `make clean` keeps it.
PSEUDONYM_KEY = DATA + "/{campaign}/{cycle}/private/pseudonyms.key"

PUBLISHED = DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"
EXTRACTION = code_of("scripts.extract.extract_trial", "scripts.extract.published_trial") + glob("scripts/extract/native/*") + glob("services/drivers/*.yaml")
WORKERS = code_of("scripts.tables.measured_trial", "scripts.tables.measured_worker")


rule extract:
    """The published form of one trial, what is extracted from it, and its rows, which are the declared output.

    The job itself knows what else is up to date: with a changed threshold only the rows are made again. A trial whose
    files cannot be read counts as failed, so that the cycle goes on without it.
    """
    input:
        rules.trial.output,
        extraction=stamp_of("extraction", EXTRACTION),
        code=stamp_of("extract", EXTRACTION + WORKERS + files_of([*names_of("trial"), "calibration"])),
        config=MERGED_CONFIG,
    output:
        ROWS,
    params:
        trial=rules.trial.params.into,
        published=PUBLISHED,
        parquet=DATA + "/{campaign}/{cycle}/parquet/{setting}/{pair}/{nn}",
        rows=lambda wildcards, output: str(Path(output[0]).parent),
        key=PSEUDONYM_KEY,
        reduce=["--reduce"] if REDUCE else [],
    log:
        DATA + "/{campaign}/{cycle}/logs/extract/{setting}/{pair}/{nn}.log",
    priority: 1_500_000  # before the next trial, so that its verdict is known at once and raw captures do not pile up
    shell:
        "python -m scripts.tables.measured_trial {params.trial:q} --published {params.published:q} --parquet {params.parquet:q} "
        "--rows {params.rows:q} --config {input.config:q} --key {params.key:q} --code {input.extraction:q} {params.reduce} > {log:q} 2>&1"


rule rows:
    """The rows of every trial of this cycle. From them a rebuild makes everything else (scripts/snapshot/rebuild.py)."""
    input:
        of_every_trial(ROWS),
        of_every_calibration(ROWS),
