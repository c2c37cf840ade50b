"""Which part of a snapshot is asked for, by its name (choice.py finds it)."""

from dataclasses import dataclass
from typing import Literal

Start = Literal["captures", "parquet", "rows"]
"""`captures`: the published captures and logs. `parquet`: what was extracted from them before. `rows`: the
snapshot's own tables of level trial, without any capture."""


@dataclass(frozen=True)
class Asked:
    """What was asked for; at most one of the names.

    Attributes:
        only: a cell: `pairs/<setting>/<a~b>`, `solos/<setting>/<a>` or `trials/<setting>/<pair>/<nn>`.
        table: a table.
        chart: a chart.
        start: what it is rebuilt from; None: captures, and rows of a lean snapshot.
    """

    only: str | None = None
    table: str | None = None
    chart: str | None = None
    start: Start | None = None
