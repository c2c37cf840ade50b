"""The rows of summary.parquet as records, for the pages of a cycle and for those about all cycles."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.model.pairs import contenders

SHARE, THROUGHPUT, WIRE_RATE = "share", "throughput_mbps", "wire_rate_mbps"
INSTANCE_DIFFERENCE = "instance_difference"
SLOWDOWN, SLOWEST = "slowdown_mean", "slowdown_maximum"
MOVES = "still moving"
"""The value of `settled` of a share that moves within the steady window."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of summary.parquet; scripts/site/data/summary.py describes the columns."""

    setting: str
    pair: str
    service: str
    contender: str
    instance: str
    figure: str
    unit: str
    n: int
    median: float | None
    low: float | None
    high: float | None
    verdict: str | None
    before_n: int | None
    before_median: float | None
    p_corrected: float | None
    changed: bool | None
    control: bool | None
    at_least: float | None
    may_be_lowest: bool | None = None
    may_be_highest: bool | None = None
    shrunk: float | None = None
    shrunk_low: float | None = None
    shrunk_high: float | None = None
    settled: str | None = None
    two_outcomes: bool | None = None

    @property
    def judged(self) -> bool:
        """Whether a share has a verdict: two services, able alone, six valid trials, a complete cycle."""
        return self.verdict not in (None, "seen", "unjudged", "provisional")

    @property
    def unable(self) -> bool:
        """Whether a service of the pair cannot do alone what it must, so that its share does not count."""
        return self.median is not None and self.verdict is None and self.instance != "better_off"

    @property
    def moves(self) -> bool:
        """Whether a share still moves within the steady window of its trials."""
        return self.settled == MOVES

    @property
    def is_bound(self) -> bool:
        """Whether the median is a lower bound."""
        return self.median is not None and self.at_least is not None and self.median >= self.at_least

    @property
    def of_service(self) -> bool:
        """Whether this is what the service has: against itself, the figure of the instance that got less."""
        return self.instance in ("first", "worse_off")

    @property
    def against_itself(self) -> bool:
        """Whether two instances of one service compete."""
        return self.service == self.contender


def read_figures(path: Path) -> tuple[Figure, ...]:
    """Read summary.parquet. That of an earlier cycle lacks the columns that were added since.

    Raises:
        UserError: the file cannot be read.
    """
    known = {column.name for column in fields(Figure)}
    try:
        columns = [name for name in pq.read_schema(path).names if name in known]
        return as_figures(pq.read_table(path, columns=columns))
    except (OSError, msgspec.ValidationError) as error:
        raise UserError(f"{path}: cannot be read: {error}; build the pages of this cycle again") from error


def as_figures(table: pa.Table) -> tuple[Figure, ...]:
    """The rows of a table with the columns of summary.parquet."""
    return tuple(msgspec.convert(table.to_pylist(), list[Figure]))


def matrix(figures: Iterable[Figure], setting: str, figure: str = SHARE) -> list[Figure]:
    """The cells of a setting's matrix: of one service against one, or against its better-off instance.

    Calls, web pages and generated flows are contenders but never incumbents. They are not cells.
    """
    rows = [
        row
        for row in figures
        if (row.setting, row.figure) == (setting, figure)
        and len(contenders(row.contender)) == 1
        and row.instance != "better_off"
    ]
    incumbents = {row.service for row in rows}
    return [row for row in rows if row.contender in incumbents]
