"""A cycle's name: kept in data/<campaign>/current-cycle since its first plan was written."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.files import write_text

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

    Cycles are in the order of their names, which are the days they began.
    """
    earlier = [
        tables.parent
        for tables in (Path(data) / campaign).glob("*/tables")
        if tables.parent.name < cycle and (tables / "trial_services.parquet").is_file()
    ]
    return max(earlier, key=lambda directory: directory.name, default=None)


def store_cycle_name(campaign_directory: Path, name: str) -> None:
    """Make `name` the campaign's current cycle."""
    write_text(campaign_directory / FILE, f"{name}\n")
