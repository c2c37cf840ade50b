"""Names of cycles. data/<campaign>/current-cycle holds the name of the cycle that was planned last."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import read_record
from scripts.model.campaign import Backend

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


def cycle_before(data: str, campaign: str, cycle: str) -> Path | None:
    """The directory of the last cycle with tables before this one; None if there is none.

    Cycles are ordered by their names, which are the dates they began. Only cycles over the same bottleneck
    count.
    """
    bottleneck = bottleneck_of(Path(data) / campaign / cycle)
    earlier = [
        directory
        for directory in _with_tables(data, campaign)
        if directory.name < cycle and bottleneck_of(directory) == bottleneck
    ]
    return max(earlier, key=lambda directory: directory.name, default=None)


def cycle_of_other_bottleneck(data: str, campaign: str, cycle: str) -> Path | None:
    """The directory of the last cycle with tables over another bottleneck; None if there is none."""
    bottleneck = bottleneck_of(Path(data) / campaign / cycle)
    others = [
        directory
        for directory in _with_tables(data, campaign)
        if bottleneck is not None and bottleneck_of(directory) not in (None, bottleneck)
    ]
    return max(others, key=lambda directory: directory.name, default=None)


def bottleneck_of(directory: Path) -> Backend | None:
    """The bottleneck that a cycle was planned for; None if it has no plan yet."""
    config = directory / "plan/config.json"
    return read_record(_PlannedFor, config).bottleneck if config.is_file() else None


def _with_tables(data: str, campaign: str) -> list[Path]:
    """The directories of a campaign's cycles that have tables."""
    tables = (Path(data) / campaign).glob("*/tables/trial_services.parquet")
    return [path.parent.parent for path in tables]


def store_cycle_name(campaign_directory: Path, name: str) -> None:
    """Make `name` the campaign's current cycle."""
    write_text(campaign_directory / FILE, f"{name}\n")
