"""Names of cycles, and the cycles that a cycle is compared with.

data/<campaign>/current-cycle holds the name of the cycle that was planned last.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import read_record
from scripts.model.campaign import Backend
from scripts.model.comparability import differences

FILE = "current-cycle"


@dataclass(frozen=True)
class _PlannedFor:
    """The part of plan/config.json that is read here."""

    bottleneck: Backend


def cycle_name(data: str, campaign: str, given: object = None) -> str:
    """The cycle to work on: the given one, else the campaign's current one, else today's date (UTC)."""
    if given is not None:
        return str(given)
    stored = Path(data) / campaign / FILE
    if stored.exists():
        return stored.read_text(encoding="utf-8").strip()
    return datetime.now(UTC).date().isoformat()


@dataclass(frozen=True)
class Comparison:
    """The cycle that another one is compared with; None if there is none.

    `passed_over` holds the cycles between the two, latest first, each with what differs (`differences`).
    """

    before: Path | None
    passed_over: dict[str, list[str]]


def comparison(data: str, campaign: str, cycle: str) -> Comparison:
    """Compare a cycle with the last one before it that has tables and measured in the same way.

    Cycles are ordered by their names, which are the dates they began.
    """
    own = Path(data) / campaign / cycle
    passed_over: dict[str, list[str]] = {}
    for directory in _others_with_tables(own) if _config(own).is_file() else []:
        if directory.name > cycle:
            continue
        different = differences(_config(own), _config(directory))
        if not different:
            return Comparison(directory, passed_over)
        passed_over[directory.name] = different
    return Comparison(None, passed_over)


def cycle_of_other_bottleneck(data: str, campaign: str, cycle: str) -> Path | None:
    """The directory of the last cycle with tables that differs in nothing but its bottleneck, or None."""
    own = Path(data) / campaign / cycle
    others = _others_with_tables(own) if _config(own).is_file() else []
    same_but_one = (other for other in others if differences(_config(own), _config(other)) == ["bottleneck"])
    return next(same_but_one, None)


def bottleneck_of(directory: Path) -> Backend | None:
    """The bottleneck that a cycle was planned for; None if it has no plan yet."""
    config = _config(directory)
    return read_record(_PlannedFor, config).bottleneck if config.is_file() else None


def _config(directory: Path) -> Path:
    """The merged configuration of a cycle."""
    return directory / "plan/config.json"


def _others_with_tables(directory: Path) -> list[Path]:
    """The directories of the campaign's other planned cycles that have tables, latest first."""
    cycles = {path.parent.parent for path in directory.parent.glob("*/tables/trial_services.parquet")}
    planned = (cycle for cycle in cycles - {directory} if _config(cycle).is_file())
    return sorted(planned, key=lambda cycle: cycle.name, reverse=True)


def store_cycle_name(campaign_directory: Path, name: str) -> None:
    """Make `name` the campaign's current cycle."""
    write_text(campaign_directory / FILE, f"{name}\n")
