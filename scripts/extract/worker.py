"""Does the work of the extraction and of the publication that reads what strangers sent.

    python -m scripts.extract.worker JOB

is internal: scripts/extract/confined.py starts it, confined, in a folder of its own. JOB is JSON
(scripts/extract/jobs.py). What it makes is in MADE. If it cannot read a file, FAULT names it. Its exit status
is that of the command.
"""

import json
import sys
from collections.abc import Callable, Mapping
from importlib.abc import MetaPathFinder
from pathlib import Path

from scripts.base.errors import UserError, reporting
from scripts.base.records import from_json
from scripts.extract.captures import extract_captures, summary
from scripts.extract.extract_trial import extract
from scripts.extract.jobs import FAULT, MADE, ExtractionJob
from scripts.extract.published_capture import publish
from scripts.extract.salvage import write_record

RECORD = Path("record")

Tasks = Mapping[str, Callable[[ExtractionJob], int]]
"""What does each task of a job, and returns the exit status."""


@reporting
def main(tasks: Tasks, argv: list[str] | None = None) -> int:
    """Do one job; see the module's docstring."""
    (text,) = sys.argv[1:] if argv is None else argv
    job = from_json(ExtractionJob, json.loads(text), "the job")
    sys.meta_path.insert(0, _WithoutPandas())
    MADE.mkdir()
    try:
        return tasks[job.task](job)
    except UserError as error:
        # Its message begins with the path of the file.
        FAULT.write_text(Path(str(error).partition(": ")[0]).name, encoding="utf-8")
        raise


class _WithoutPandas(MetaPathFinder):
    """Hides pandas. PyArrow would import it, which takes 0.2 s, and does not need it here."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """None, so that the next finder looks for another module."""
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not used here")


def record_of(job: ExtractionJob) -> Path:
    """The directory of a job's trial. A salvaged trial has a new one, with its record alone."""
    directory = Path(job.sources[0])
    return directory if job.reason is None else write_record(directory, job.reason, RECORD)


def public_of(job: ExtractionJob) -> tuple[Path | None, Path | None]:
    """The key and the configuration, if the trial needs them."""
    key, config = job.public or (None, None)
    return Path(key) if key else None, Path(config) if config else None


def _extract_trial(job: ExtractionJob) -> int:
    extract(record_of(job), MADE, Path(job.captures) if job.captures else None, *public_of(job))
    return 0


def _extract_captures(job: ExtractionJob) -> int:
    extracted = extract_captures([Path(source) for source in job.sources], MADE / job.output, [*job.clients])
    for line in summary(extracted):
        print(line)
    return 0 if all(facts.status == "ok" for facts in extracted.captures) else 1


def _publish_capture(job: ExtractionJob) -> int:
    publish(Path(job.sources[0]), MADE / job.output)
    return 0


TASKS: Tasks = {
    "trial": _extract_trial,
    "captures": _extract_captures,
    "publish_capture": _publish_capture,
}


if __name__ == "__main__":
    sys.exit(main(TASKS))
