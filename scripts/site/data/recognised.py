"""Which family of congestion controllers the services of a cycle run, by the table recognition."""

from dataclasses import dataclass
from pathlib import Path

from scripts.charts.table_files import read_rows
from scripts.recognition.families import UNKNOWN

TABLE = "recognition"


@dataclass(frozen=True)
class Recognised:
    """A row of the table. Its YAML explains each column."""

    setting: str
    service: str
    n: int
    named: int
    family: str
    reason: str | None
    known: str | None
    nearest_family: str | None
    distance: float | None
    limit: float | None
    second: str | None
    margin: float | None
    before: str | None
    changed: bool | None

    @property
    def words(self) -> str:
        """`Cubic-like`, or `unknown: far from every family`."""
        return f"{UNKNOWN}: {self.reason}" if self.reason else self.family

    @property
    def change(self) -> str:
        """The family before and now, such as `Cubic-like, now BBRv1-like`."""
        return f"{self.before}, now {self.family}"


def recognised(tables: Path) -> tuple[Recognised, ...]:
    """The rows of the table, in its order; none in a cycle that has no such table.

    Args:
        tables: the folder of the cycle's tables.

    Raises:
        UserError: the table is no Parquet file, or lacks a column.
    """
    if not (tables / f"{TABLE}.parquet").is_file():
        return ()
    return tuple(read_rows(tables, TABLE, Recognised))
