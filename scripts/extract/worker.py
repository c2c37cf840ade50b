"""Does the work of the extraction and of the publication that reads what strangers sent.

    python -m scripts.extract.worker JOB

is internal: scripts/extract/confined.py starts it, confined, in a folder of its own. JOB is JSON
(scripts/extract/jobs.py). What it makes is in MADE. If it cannot read a file, FAULT names it. Its exit status
is that of the command.
"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.errors import UserError, reporting
from scripts.base.records import from_json
from scripts.extract import published_capture, published_trial
from scripts.extract.captures import extract_captures, summary
from scripts.extract.extract_trial import extract
from scripts.extract.jobs import FAULT, MADE, Job
from scripts.extract.salvage import is_salvaged, write_record

RECORD = Path("record")


@reporting
def main(argv: list[str] | None = None) -> int:
    """Do one job; see the module's docstring."""
    (text,) = sys.argv[1:] if argv is None else argv
    job = from_json(Job, json.loads(text), "the job")
    MADE.mkdir()
    try:
        return TASKS[job.task](job)
    except UserError as error:
        # Its message begins with the path of the file.
        FAULT.write_text(Path(str(error).partition(": ")[0]).name, encoding="utf-8")
        raise


def _extract_trial(job: Job) -> int:
    directory = Path(job.sources[0])
    if job.reason is not None:
        directory = write_record(directory, job.reason, RECORD)
    extract(directory, MADE, Path(job.captures) if job.captures else None, *_public(job))
    return 0


def _extract_captures(job: Job) -> int:
    extracted = extract_captures([Path(source) for source in job.sources], MADE / job.output, [*job.clients])
    for line in summary(extracted):
        print(line)
    return 0 if all(facts.status == "ok" for facts in extracted.captures) else 1


def _publish_trial(job: Job) -> int:
    directory = Path(job.sources[0])
    if job.extracted is not None:
        reason = pq.read_table(job.extracted, columns=["reason"])["reason"][0].as_py()
        if is_salvaged(reason):
            directory = write_record(directory, reason, RECORD)
    published_trial.publish(directory, MADE, *_public(job))
    return 0


def _public(job: Job) -> tuple[Path | None, Path | None]:
    """The key and the configuration, if the trial needs them."""
    key, config = job.public or (None, None)
    return Path(key) if key else None, Path(config) if config else None


def _publish_capture(job: Job) -> int:
    published_capture.publish(Path(job.sources[0]), MADE / job.output)
    return 0


TASKS = {
    "trial": _extract_trial,
    "captures": _extract_captures,
    "publish": _publish_trial,
    "publish_capture": _publish_capture,
}


if __name__ == "__main__":
    sys.exit(main())
