"""The settings of unattended operation: config/operate.yaml."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Number, about
from scripts.model.schemas import read_checked

FILE = ROOT / "config/operate.yaml"

HookCommand = Annotated[tuple[str, ...], about(minItems=1)]


@dataclass(frozen=True)
class CycleSchedule:
    """When cycles begin. A cycle is named by the day (UTC) of its slot, whenever it is measured."""

    anchor: Annotated[str, about(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    """The day on which the first cycle begins, such as 2026-12-07."""
    period_days: Annotated[int, about(minimum=1)]
    """Days between the beginnings of two cycles."""
    stale_days: Annotated[Number, about(exclusiveMinimum=0)]
    """The observatory is stale if its last success is older than this."""

    @property
    def first_slot(self) -> date:
        """The first of the slots anchor + n * period_days, n = 0, 1, 2, … A slot begins at midnight, UTC."""
        return date.fromisoformat(self.anchor)

    def slot(self, now: datetime) -> date | None:
        """The last slot that has begun; None before the first one."""
        days = (now.astimezone(UTC).date() - self.first_slot).days
        return None if days < 0 else self.first_slot + timedelta(days - days % self.period_days)

    def next_slot(self, now: datetime) -> date:
        """The first slot that has not begun."""
        slot = self.slot(now)
        return self.first_slot if slot is None else slot + timedelta(self.period_days)

    def names(self, cycle: str) -> bool:
        """Whether a cycle has the name of a slot."""
        try:
            day = date.fromisoformat(cycle)
        except ValueError:
            return False
        days = (day - self.first_slot).days
        return days >= 0 and days % self.period_days == 0 and day.isoformat() == cycle


@dataclass(frozen=True)
class Signing:
    """How snapshots are signed before they are published (docs/signing.md)."""

    key: Annotated[str | None, about(minLength=1)]
    """The file of the key that signs each snapshot. It stays outside the repository. null: none does."""


@dataclass(frozen=True)
class Publication:
    """Where cycles are published."""

    # The path of a folder, or <name>:<path>. Options of rclone, as in `name,option=value:path`, may be keys.
    remote: Annotated[
        str,
        about(
            minLength=1,
            pattern=r"^([^:/]*(/.*)?|[\w.+@][\w .+@-]*:.*)$",
            because="name a folder, or a remote of rclone with its path, such as s3:observatory; "
            "rclone config keeps its options and keys",
            secret=True,
        ),
    ]
    """A folder, or a remote of rclone with a path in it, such as `s3:observatory`."""
    rclone_config: str | None
    """rclone's configuration file, which names the remotes and their keys. It stays outside the repository.
    null: rclone's own."""
    sample: Annotated[int, about(minimum=0)]
    """So many files, drawn at random, are read back after each publication, besides `rclone check`."""


@dataclass(frozen=True)
class Retention:
    """What stays on this disk of completed cycles; the rest goes once its published copy was read back."""

    trials_cycles: Annotated[int, about(minimum=0)]
    """The captures and logs of so many of the newest cycles."""
    work_cycles: Annotated[int, about(minimum=0)]
    """The working folders data/<campaign>/<cycle>/ of so many of the newest cycles."""


@dataclass(frozen=True)
class Health:
    """The limits of the checks before and during a cycle (scripts/operate/health.py)."""

    disk_reserve_gb: Annotated[Number, about(minimum=0)]
    """Free disk that must remain, in GB."""
    load_fraction: Annotated[Number, about(minimum=0, maximum=1)]
    """Other programs may use this part of all cores before a cycle starts."""
    clock: Literal["failed", "warning"]
    """What an unsynchronised clock means: failed (the cycle does not start) or warning."""
    canary_s: Annotated[int, about(minimum=5)]
    """The seconds of a canary, a trial of a live service alone before the cycle."""


@dataclass(frozen=True)
class SubmissionSettings:
    """How submissions are measured (docs/operating.md)."""

    hours: Annotated[Number, about(minimum=0)]
    """So many hours of each period are for submissions, after the panel's cycle. 0: none is measured."""
    automatic: bool
    """Whether a valid submission is approved at once."""
    http: bool
    """Whether addresses may be http: instead of https:."""


@dataclass(frozen=True)
class Hooks:
    """The commands of each event, each a list of words, which get the event as JSON on their standard input.

    A command that fails or takes too long changes nothing but a line of the log (docs/operating.md).
    """

    completed: tuple[HookCommand, ...]
    """Run when a cycle is published."""
    failed: tuple[HookCommand, ...]
    """Run when a step failed."""
    stale: tuple[HookCommand, ...]
    """Run when the observatory becomes stale."""
    ping: tuple[HookCommand, ...]
    """Run at the end of each run that did not fail: the ping of a dead man's switch."""
    environment: tuple[Annotated[str, about(pattern="^[A-Za-z_][A-Za-z0-9_]*$")], ...]
    """Variables of the environment that the commands get, besides PATH, HOME and such."""
    timeout_s: Annotated[Number, about(exclusiveMinimum=0)]
    """The seconds that a command may take."""


@dataclass(frozen=True)
class OperateSettings:
    """What runs unattended (docs/operating.md)."""

    campaign: Annotated[str, about(pattern="^[a-z0-9-]+$")]
    """The campaign that is measured."""
    schedule: CycleSchedule
    slurm: bool
    """Whether trials are measured by several hosts, as jobs of Slurm (config/hosts.yaml)."""
    variables: Annotated[
        dict[str, str | bool], about(propertyNames={"enum": ["bottleneck", "testbed", "provisional"]})
    ]
    """Variables of the Snakefile, such as `bottleneck: bess`."""
    sign: Signing
    publish: Publication
    retention: Retention
    health: Health
    submissions: SubmissionSettings
    hooks: Hooks


def beginning(slot: date) -> datetime:
    """The time at which a slot begins."""
    return datetime.combine(slot, time(), UTC)


def read_settings(path: Path = FILE) -> OperateSettings:
    """Read the settings.

    Raises:
        UserError: the file cannot be read, or breaks its schema, or its anchor is no day.
    """
    settings = read_checked(OperateSettings, path)
    try:
        date.fromisoformat(settings.schedule.anchor)
    except ValueError as error:
        raise UserError(f"{path}: schedule.anchor: {error}; write a day such as 2026-12-07") from error
    return settings
