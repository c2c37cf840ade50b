"""How much more or less a service gets than in the earlier cycle, over all its pairs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.charts.table_files import rows_if_there

TABLE = "service_changes"


@dataclass(frozen=True)
class ServiceChange:
    """A row of the table service_changes. Shifts are fractions of what the service got before."""

    setting: str
    service: str
    control: bool
    pairs: int
    before_n: int
    after_n: int
    shift: float
    shift_low: float | None
    shift_high: float | None
    verdict: Literal["changed", "as before", "undecided"] | None

    @property
    def changed(self) -> bool:
        """Whether the service got more or less by more than the margin and chance."""
        return self.verdict == "changed"

    @property
    def excluded_beyond(self) -> float | None:
        """The data exclude every shift beyond ± this fraction; None if they exclude none."""
        low, high = self.shift_low, self.shift_high
        return None if low is None or high is None else max(-low, high)


def service_changes(tables: Path) -> tuple[ServiceChange, ...]:
    """The rows of the table in a cycle's folder of tables; none in a cycle that has no such table."""
    return rows_if_there(tables, TABLE, ServiceChange)
