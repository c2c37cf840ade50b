"""status.json: how unattended operation stands. scripts/operate writes it, and the page status/ shows it.

Times are UTC, ISO 8601. Keys may be added. If a key changes or goes, the version gets another number.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from scripts.base.records import Number, read_record, to_json

VERSION: Final = 1

RESTING = ("idle", "failed")
"""The phases in which nothing runs. In every other one a run holds the lock."""

INTERRUPTED = "interrupted"
"""The phase after a run that died: it is never written, only found."""


@dataclass(frozen=True)
class TrialCounts:
    """The trials of a cycle in all rounds so far; `failed` of the `excluded` ones did not complete."""

    round: int
    planned: int
    measured: int
    valid: int
    excluded: int
    failed: int


@dataclass(frozen=True)
class Success:
    """The last cycle that was published and verified, and when."""

    cycle: str
    at: str


@dataclass(frozen=True)
class FailedStep:
    """A step that failed: of which cycle, when, and why in one line."""

    cycle: str
    at: str
    step: str
    reason: str


@dataclass(frozen=True)
class CycleState:
    """A cycle: its times, what was published of it, and the services that were set aside with the reason."""

    cycle: str
    scheduled: bool
    started: str | None
    completed: str | None
    files: int
    bytes: int
    failures: int
    set_aside: dict[str, str]


@dataclass(frozen=True)
class Status:
    """The content of status.json.

    Attributes:
        version: of this format.
        written: the time that all of it is about.
        phase: `idle`, `failed`, `interrupted`, or what a run does: `measuring`, `publishing`, …; `running` if
            that is not known.
        campaign: what is measured.
        cycle: the cycle that the phase is about, if there is one.
        trials: those of that cycle, while its working folder has a plan.
        last_success: None before the first one.
        next_due: when the next cycle begins, or began if it is due and not completed.
        due: whether it is due.
        stale: whether the last success is older than `stale_days`.
        stale_since: since when; None if it is not.
        stale_days: the limit.
        disk_free_bytes: of the disk of the data.
        failures_total: how many steps ever failed.
        failures: the last of them, the latest first.
        unpublished: the cycles that are measured and frozen, and not completed.
        cycles: the last cycles, the latest first.
        versions: of the code and of programs.
    """

    version: Literal[1]
    written: str
    phase: str
    campaign: str
    cycle: str | None
    trials: TrialCounts | None
    last_success: Success | None
    next_due: str
    due: bool
    stale: bool
    stale_since: str | None
    stale_days: Number
    disk_free_bytes: int
    failures_total: int
    failures: tuple[FailedStep, ...]
    unpublished: tuple[str, ...]
    cycles: tuple[CycleState, ...]
    versions: dict[str, str | None]


def read_status(path: Path) -> Status:
    """Read status.json.

    Raises:
        UserError: the file cannot be read, or is of another version.
    """
    return read_record(Status, path)


def status_text(status: Status) -> str:
    """The content of status.json."""
    return json.dumps(to_json(status), indent=1, ensure_ascii=False) + "\n"
