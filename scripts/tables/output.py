"""Tables as files: Parquet for programs, CSV for readers."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import replacing
from scripts.base.parquet import RowGroupWriter
from scripts.tables.table_schema import load_schema

FEWEST_ROWS_WITHOUT_CSV = 5_000_000
"""A table of so many rows or more is Parquet only. Its CSV could have gigabytes."""


def write_table(parts: Iterable[pa.Table], table: str, folder: Path, *, with_csv: bool) -> None:
    """Write <table>.parquet from consecutive parts of the table, and <table>.csv if `with_csv`.

    The same rows give the same bytes. A table of FEWEST_ROWS_WITHOUT_CSV rows or more has no CSV; an older
    CSV of fewer rows is removed.
    """
    path = folder / f"{table}.parquet"
    with replacing(path) as parquet, RowGroupWriter(parquet, load_schema(table).arrow) as writer:
        for part in parts:
            for batch in part.to_batches():
                writer.write(batch)
    if with_csv:
        write_csv(path)


def write_csv(parquet: Path) -> None:
    """Write a Parquet file as CSV beside it, row group by row group, unless it has too many rows.

    Numbers are the shortest that read back the same. Null is an empty field.
    """
    # Imported here because a trial's tables are not written as CSV, and importing it takes time.
    import pyarrow.csv as csv

    path = parquet.with_suffix(".csv")
    with pq.ParquetFile(parquet) as file:
        if file.metadata.num_rows >= FEWEST_ROWS_WITHOUT_CSV:
            path.unlink(missing_ok=True)
            return
        options = csv.WriteOptions(quoting_style="needed")
        with (
            replacing(path) as temporary,
            csv.CSVWriter(temporary, file.schema_arrow, write_options=options) as writer,
        ):
            for batch in file.iter_batches():
                writer.write_batch(batch)
