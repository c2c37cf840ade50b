"""The rows of pairs by which client starts first, with the columns that charts and pages read."""

from dataclasses import dataclass

from scripts.charts.table_rows import ClientRow


@dataclass(frozen=True)
class FnessRow(ClientRow):
    """A row of trial_fairness."""

    valid: bool
    fness: float | None


@dataclass(frozen=True)
class OrderRow:
    """A row of orders."""

    setting: str
    pair: str
    client: str
    service: str
    contender: str
    started: str
    metric: str
    n: int
    median: float | None
    q25: float | None
    q75: float | None
    low: float | None
    high: float | None
