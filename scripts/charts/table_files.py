"""The tables of a cycle as records: one table, the rows of one trial, or the tables that charts share."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.records import from_json
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.table_rows import PairRow, TrialRow
from scripts.model.campaign import Campaign
from scripts.model.trials import TrialKey

Record = TypeVar("Record")
OfTrial = TypeVar("OfTrial", bound=TrialRow)


def read_table(folder: Path, name: str, where: pc.Expression | None = None) -> pa.Table:
    """Read one table, or those of its rows for which a condition holds.

    Raises:
        UserError: the file is missing or is not a Parquet file.
    """
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise UserError(f"{path}: no such table; make the tables first, or name their folder")
    try:
        return pq.read_table(path, filters=where, partitioning=None)
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: not a Parquet table ({error}); make the tables again") from error


def read_rows(
    folder: Path, name: str, kind: type[Record], where: pc.Expression | None = None
) -> list[Record]:
    """Read one table as records of `kind` (scripts/charts/table_rows.py).

    Args:
        folder: holds the table.
        name: the table.
        kind: the rows' class.
        where: the rows to read; None reads all.

    Raises:
        UserError: the file is missing, is not a Parquet file, or lacks a column.
    """
    origin = str(folder / f"{name}.parquet")
    return [from_json(kind, row, origin) for row in read_table(folder, name, where).to_pylist()]


def rows_if_there(
    folder: Path, name: str, kind: type[Record], where: pc.Expression | None = None
) -> tuple[Record, ...]:
    """The rows of a table that not every cycle has, in their order; none without the table.

    Raises:
        UserError: the file is not a Parquet file, or lacks a column.
    """
    return tuple(read_rows(folder, name, kind, where)) if (folder / f"{name}.parquet").is_file() else ()


def rows_of_trial(folder: Path, name: str, kind: type[OfTrial], key: TrialKey, known: str) -> list[OfTrial]:
    """The rows of one trial in the table of a cycle. Row groups without rows of the trial are not read.

    Args:
        folder: holds the table.
        name: the table.
        kind: the rows' class.
        key: the trial.
        known: rows without a value in this column are left out.

    Raises:
        UserError: the file is missing, is not a Parquet file, or lacks a column.
    """
    of_trial = (pc.field("setting") == key.setting) & (pc.field("pair") == key.pair)
    of_trial &= (pc.field("trial") == key.number) & pc.field(known).is_valid()
    return read_rows(folder, name, kind, of_trial)


@dataclass(frozen=True)
class CycleTables:
    """The tables in a folder, each read once, and the campaign of the cycle."""

    folder: Path
    campaign: Campaign
    _read: dict[tuple[str, type[Any]], list[Any]] = field(default_factory=dict)

    @cached_property
    def labels(self) -> Labels:
        """The titles and colours of settings and services."""
        return make_labels(self.campaign.services, self.campaign)

    @property
    def pairs(self) -> list[PairRow]:
        """The rows of pairs."""
        return self.rows("pairs", PairRow)

    def rows(self, table: str, kind: type[Record]) -> list[Record]:
        """The rows of a table.

        Raises:
            UserError: the table is missing or wrong.
        """
        if (table, kind) not in self._read:
            self._read[table, kind] = read_rows(self.folder, table, kind)
        return self._read[table, kind]
