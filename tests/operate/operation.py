"""A folder of unattended operation with settings of its own, and records written by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.model.trials import TrialKey
from scripts.operate.context import Clock, Context, moment_of
from scripts.operate.records import CycleRecord, Failure, write_cycle
from scripts.operate.settings import Hooks, read_settings
from tests.progress.cycle_files import write_config, write_round, write_verdict

CAMPAIGN = "watchdog"
FIRST, SECOND, THIRD = "2026-12-07", "2026-12-21", "2027-01-04"
OFFLINE = Failure("2026-12-22T03:10:00Z", "publish", "s3:observatory: cannot be\nreached; try again")


def context_of(
    folder: Path, now: str = "2026-12-22T12:00:00Z", timeout_s: float = 5, **hooks: object
) -> Context:
    """Operation in a folder at a given time, with the slots FIRST, SECOND, THIRD, … and these hooks."""
    settings = read_settings()
    named = {"completed": (), "failed": (), "stale": (), "ping": (), "environment": ()} | hooks
    settings = replace(settings, hooks=Hooks(**named, timeout_s=timeout_s))
    clock = Clock(moment_of(now) if now else datetime.now(UTC))
    return Context(settings, folder / "data", folder / "public", clock)


def completed(cycle: str, at: str, **more: object) -> CycleRecord:
    """The record of a completed cycle."""
    return CycleRecord(CAMPAIGN, cycle, scheduled=True, started=f"{cycle}T03:00:00Z", completed=at, **more)


def failed(cycle: str, *failures: Failure, **more: object) -> CycleRecord:
    """The record of a cycle that is not completed, with these failures."""
    return CycleRecord(
        CAMPAIGN, cycle, scheduled=True, started=f"{cycle}T03:00:00Z", failures=failures, **more
    )


def write_records(context: Context, *records: CycleRecord) -> None:
    """Write records into the folder of operation."""
    for record in records:
        write_cycle(context.folder, record)


def operation(folder, *records, now="2026-12-22T12:00:00Z"):
    """Operation at a given time with these records."""
    context = context_of(folder, now)
    write_records(context, *records)
    return context


def write_measured(context, cycle, verdicts):
    """A cycle with a round of four trials, of which so many have a verdict: a reason and a status."""
    folder = context.cycle(cycle)
    write_round(folder, 1, [("8mbps", "a~b", number, 600) for number in range(1, 5)])
    write_config(folder)
    for number, verdict in enumerate(verdicts, start=1):
        path = TrialKey("8mbps", "a~b", number).path
        (folder / "trials" / path).mkdir(parents=True)
        write_verdict(folder / "rows" / path / "trial_services.parquet", *verdict)
