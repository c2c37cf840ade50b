"""What happened to each cycle: data/operate/cycles/<campaign>-<cycle>.json, one file a cycle.

A later revision of a cycle has a record of its own, `<campaign>-<cycle>.r2.json`. Records are published, and
restored from there on another host.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from scripts.base.records import read_record, write_record
from scripts.model.cycle_names import require_names

CYCLES = "cycles"

REASONS = {
    "begin": "its record could not be written",
    "health": "a check of the host failed",
    "canary": "the live services could not be tried",
    "measure": "it could not be measured to its end",
    "sign": "its snapshot could not be signed",
    "site": "its pages could not be built",
    "publish": "its files could not be published",
    "verify": "its published copy is not as it should be, or could not be read",
    "prune": "old files could not be removed",
    "report": "the status could not be published",
}
"""Why each step fails, for readers. Messages of programs may name keys and folders: the log has those."""

OTHER_REASON = "a step failed"


@dataclass(frozen=True)
class Failure:
    """A step that failed: when (UTC, ISO 8601), which step, and the reason, one of REASONS."""

    at: str
    step: str
    reason: str


@dataclass(frozen=True)
class CycleRecord:
    """What happened to a cycle. Times are UTC, ISO 8601; None: not yet.

    Attributes:
        campaign, cycle: the names. The cycle of a later revision ends with `.r2`.
        scheduled: whether the name is a slot of the grid.
        started: when its first step ran.
        completed: when its published copy was verified.
        remote: where it was published.
        files, bytes: what was published of it: captures, logs and tables.
        failures: every failed step, oldest first.
        set_aside: the services that were set aside, each with its reason.
    """

    campaign: str
    cycle: str
    scheduled: bool = False
    started: str | None = None
    completed: str | None = None
    remote: str | None = None
    files: int = 0
    bytes: int = 0
    failures: tuple[Failure, ...] = ()
    set_aside: dict[str, str] | None = None


def read_records(folder: Path) -> list[CycleRecord]:
    """All records in data/operate/, by campaign and cycle.

    Raises:
        UserError: a record is wrong, or a name in it could not be that of a folder.
    """
    records = {path: read_record(CycleRecord, path) for path in sorted((folder / CYCLES).glob("[!.]*.json"))}
    for path, record in records.items():
        require_names(record.campaign, record.cycle, str(path))
    return [*records.values()]


def read_cycle(folder: Path, campaign: str, cycle: str) -> CycleRecord:
    """The record of a cycle; a new one if it has none.

    Raises:
        UserError: the record is wrong.
    """
    path = _path(folder, campaign, cycle)
    return read_record(CycleRecord, path) if path.is_file() else CycleRecord(campaign, cycle)


def write_cycle(folder: Path, record: CycleRecord) -> None:
    """Write a record, whole or not at all."""
    write_record(_path(folder, record.campaign, record.cycle), record)


def remove_cycle(folder: Path, campaign: str, cycle: str) -> None:
    """Remove a record, if there is one."""
    _path(folder, campaign, cycle).unlink(missing_ok=True)


def keep_failure(folder: Path, campaign: str, cycle: str, at: str, step: str) -> None:
    """Record a failed step of a cycle.

    Raises:
        UserError: the record is wrong.
    """
    record = read_cycle(folder, campaign, cycle)
    failures = (*record.failures, Failure(at, step, reason_for_readers(step)))
    write_cycle(folder, replace(record, failures=failures))


def reason_for_readers(step: str) -> str:
    """Why a step fails, as pages and published records say it."""
    return REASONS.get(step, OTHER_REASON)


def _path(folder: Path, campaign: str, cycle: str) -> Path:
    return folder / CYCLES / f"{campaign}-{cycle}.json"
