"""A cycle's name: kept in data/<campaign>/current-cycle since its first plan was written."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.base.files import read_json, write_text

FILE = "current-cycle"


def cycle_name(data: str, campaign: str, asked: Any = None) -> str:
    """The cycle to work on: the one asked for, else the campaign's current one, else today's date (UTC)."""
    if asked is not None:
        return str(asked)
    stored = Path(data) / campaign / FILE
    if stored.exists():
        return stored.read_text(encoding="utf-8").strip()
    return datetime.now(UTC).date().isoformat()


def cycle_before(data: str, campaign: str, cycle: str) -> Path | None:
    """The directory of the last cycle before this one that has tables; None if this is the first.

    Cycles are in the order of their names, which are the days they began. Those over another bottleneck do
    not count.
    """
    own = bottleneck_of(Path(data) / campaign / cycle)
    earlier = [
        directory
        for directory in _with_tables(data, campaign)
        if directory.name < cycle and bottleneck_of(directory) == own
    ]
    return max(earlier, key=lambda directory: directory.name, default=None)


def cycle_of_other_bottleneck(data: str, campaign: str, cycle: str) -> Path | None:
    """The directory of the last cycle with tables that was measured over another bottleneck; None if none."""
    own = bottleneck_of(Path(data) / campaign / cycle)
    others = [
        directory
        for directory in _with_tables(data, campaign)
        if own is not None and bottleneck_of(directory) not in (None, own)
    ]
    return max(others, key=lambda directory: directory.name, default=None)


def bottleneck_of(directory: Path) -> str | None:
    """The bottleneck a cycle was planned for; None if it is not planned."""
    config = directory / "plan/config.json"
    return str(read_json(config)["bottleneck"]) if config.is_file() else None


def _with_tables(data: str, campaign: str) -> list[Path]:
    """The directories of a campaign's cycles that have tables."""
    found = (Path(data) / campaign).glob("*/tables/trial_services.parquet")
    return [path.parent.parent for path in found]


def store_cycle_name(campaign_directory: Path, name: str) -> None:
    """Make `name` the campaign's current cycle."""
    write_text(campaign_directory / FILE, f"{name}\n")
