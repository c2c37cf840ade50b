"""Reading the tables of a cycle or of a trial."""

from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.records import from_json

Row = TypeVar("Row")


def read_table(folder: Path, name: str) -> pa.Table:
    """Read one table.

    Raises:
        UserError: the file is missing or is not a Parquet file.
    """
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise UserError(f"{path}: no such table; make the tables first, or name their folder")
    try:
        return pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: not a Parquet table ({error}); make the tables again") from error


def read_rows(folder: Path, name: str, kind: type[Row]) -> list[Row]:
    """Read one table as records of `kind` (scripts/charts/table_rows.py).

    Raises:
        UserError: the file is missing, is not a Parquet file, or lacks a column.
    """
    return records_of(read_table(folder, name), kind, str(folder / f"{name}.parquet"))


def records_of(table: pa.Table, kind: type[Row], origin: str) -> list[Row]:
    """The rows of a table as records.

    Raises:
        UserError: the table lacks a column; `origin` is the file that the error names.
    """
    return [from_json(kind, row, origin) for row in table.to_pylist()]
