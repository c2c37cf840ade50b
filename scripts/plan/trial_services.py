"""The rows of the table trial_services, with the columns that the planner reads."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq

Instance = Literal["first", "further", "worse_off", "better_off"]
"""Which client of its service it is. In a self-pair the order is that of what they got in the trial."""


@dataclass(frozen=True)
class TrialService:
    """The result of one client of one trial. A failed trial has no throughput.

    `valid` says whether the testbed worked. `able` says whether the service alone did what it must; it is
    None in a trial with a contender.
    """

    setting: str
    pair: str
    trial: int
    client: str
    service: str
    valid: bool
    able: bool | None
    throughput_mbps: float | None
    instance: Instance
    wire_rate_mbps: float | None = None


def read_trial_services(path: Path) -> Iterator[TrialService]:
    """The rows of a trial_services.parquet, of one trial or of a cycle."""
    with pq.ParquetFile(path) as file:
        table = file.read(columns=[column.name for column in fields(TrialService)], use_threads=False)
    return (TrialService(**row) for row in table.to_pylist())
