"""The settings of unattended operation: config/operate.yaml."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Number, from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check
from scripts.operate.grid import Grid

FILE = ROOT / "config/operate.yaml"

Command = tuple[str, ...]


@dataclass(frozen=True)
class CycleSchedule:
    """The first slot (ISO 8601), the days between slots, and the days after which a success is stale."""

    anchor: str
    period_days: int
    stale_days: Number

    @property
    def grid(self) -> Grid:
        """The slots."""
        return Grid(date.fromisoformat(self.anchor), self.period_days)


@dataclass(frozen=True)
class Signing:
    """The key that signs snapshots; None if none does."""

    key: str | None


@dataclass(frozen=True)
class Publication:
    """Where to publish, rclone's configuration file (None: its own), and how many files to read back."""

    remote: str
    rclone_config: str | None
    sample: int


@dataclass(frozen=True)
class Retention:
    """Of how many of the newest completed cycles trials and working folders stay on this disk."""

    trials_cycles: int
    work_cycles: int


@dataclass(frozen=True)
class Health:
    """The limits of the checks before and during a cycle (scripts/operate/health.py)."""

    disk_reserve_gb: Number
    load_fraction: Number
    clock: Literal["failed", "warning"]
    canary_s: int


@dataclass(frozen=True)
class SubmissionSettings:
    """The hours of each period for submissions, whether they need no approval, and whether http: is fine."""

    hours: Number
    automatic: bool
    http: bool


@dataclass(frozen=True)
class Hooks:
    """The commands of each event; each has `timeout_s` seconds, and these variables of the environment."""

    completed: tuple[Command, ...]
    failed: tuple[Command, ...]
    stale: tuple[Command, ...]
    ping: tuple[Command, ...]
    environment: tuple[str, ...]
    timeout_s: Number


@dataclass(frozen=True)
class OperateSettings:
    """config/operate.yaml. `variables` are those of the Snakefile. With `slurm`, trials are jobs of Slurm."""

    campaign: str
    schedule: CycleSchedule
    slurm: bool
    variables: dict[str, str | bool]
    sign: Signing
    publish: Publication
    retention: Retention
    health: Health
    submissions: SubmissionSettings
    hooks: Hooks


def read_settings(path: Path = FILE) -> OperateSettings:
    """Read the settings.

    Raises:
        UserError: the file cannot be read, or breaks its schema, or its anchor is no day.
    """
    content = load_yaml(path)
    check(content, "operate", lambda _keys: str(path))
    settings = from_json(OperateSettings, content, str(path))
    try:
        date.fromisoformat(settings.schedule.anchor)
    except ValueError as error:
        raise UserError(f"{path}: schedule.anchor: {error}; write a day such as 2026-12-07") from error
    return settings
