"""The rows of the table trial_services, with the columns that the planner reads."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pyarrow.parquet as pq


@dataclass(frozen=True)
class TrialService:
    """The result of one client of one trial. A failed trial has no throughput.

    `representative` marks the one client of each service whose value stands for the service in that trial.
    """

    setting: str
    pair: str
    trial: int
    client: str
    service: str
    valid: bool
    throughput_mbps: float | None
    representative: bool


def read_trial_services(path: Path) -> Iterator[TrialService]:
    """The rows of a trial_services.parquet, of one trial or of a cycle."""
    with pq.ParquetFile(path) as file:
        table = file.read(columns=[column.name for column in fields(TrialService)], use_threads=False)
    return (TrialService(**row) for row in table.to_pylist())
