"""A folder of unattended operation with settings of its own, and records written by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.operate.clock import Clock, moment_of
from scripts.operate.context import Context
from scripts.operate.records import CycleRecord, Failure, write_cycle
from scripts.operate.settings import Hooks, read_settings

CAMPAIGN = "watchdog"
FIRST, SECOND, THIRD = "2026-12-07", "2026-12-21", "2027-01-04"


def context_of(
    folder: Path, now: str = "2026-12-22T12:00:00Z", timeout_s: float = 5, **hooks: object
) -> Context:
    """Operation in a folder at a given time, with the slots FIRST, SECOND, THIRD, … and these hooks."""
    settings = read_settings()
    named = {"completed": (), "failed": (), "stale": (), "ping": ()} | hooks
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
