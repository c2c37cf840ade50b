"""Which family of congestion controllers the services of a cycle run, by the table recognition."""

from dataclasses import dataclass
from pathlib import Path

from scripts.charts.table_files import rows_if_there
from scripts.model.comparison import RECOGNITION
from scripts.recognition.families import UNKNOWN


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
    """The rows of the table in a cycle's folder of tables; none in a cycle that has no such table."""
    return rows_if_there(tables, RECOGNITION, Recognised)
