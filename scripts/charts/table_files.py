"""Reading the tables of a cycle or of a trial."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.records import from_json
from scripts.charts.table_rows import TrialRow
from scripts.model.trials import TrialKey

Row = TypeVar("Row")
OfTrial = TypeVar("OfTrial", bound=TrialRow)


def read_table(folder: Path, name: str) -> pa.Table:
    """Read one table.

    Raises:
        UserError: the file is missing or is not a Parquet file.
    """
    with _opened(folder / f"{name}.parquet") as file:
        return file.read()


def read_rows(folder: Path, name: str, kind: type[Row]) -> list[Row]:
    """Read one table as records of `kind` (scripts/charts/table_rows.py).

    Raises:
        UserError: the file is missing, is not a Parquet file, or lacks a column.
    """
    origin = str(folder / f"{name}.parquet")
    return [from_json(kind, row, origin) for row in read_table(folder, name).to_pylist()]


def by_trial(
    folder: Path, name: str, kind: type[OfTrial], known: str
) -> Iterator[tuple[TrialKey, list[OfTrial]]]:
    """The rows of each trial. The table has the trials one after the other; one at a time is in memory.

    Args:
        folder: holds the table.
        name: the table.
        kind: the rows' class.
        known: rows without a value in this column are left out.

    Raises:
        UserError: the file is missing, is not a Parquet file, or lacks a column.
    """
    path = folder / f"{name}.parquet"
    with _opened(path) as file:
        batches = (batch.filter(pc.is_valid(batch[known])) for batch in file.iter_batches())
        rows = (from_json(kind, row, str(path)) for batch in batches for row in batch.to_pylist())
        for key, of_trial in groupby(rows, key=lambda row: row.key):
            yield key, list(of_trial)


def _opened(path: Path) -> pq.ParquetFile:
    if not path.is_file():
        raise UserError(f"{path}: no such table; make the tables first, or name their folder")
    try:
        return pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: not a Parquet table ({error}); make the tables again") from error
