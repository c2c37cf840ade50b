"""The tables of a published cycle at their stable addresses:

    data/v1/<table>/campaign=<campaign>/cycle=<label>/part.parquet, and part.csv below 5 million rows

Every row begins with the columns `campaign` and `cycle`; the other columns are those of the snapshot.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import replacing
from scripts.base.parquet import ROW_GROUP, RowGroupWriter
from scripts.site.addresses import Place
from scripts.site.data.summary import FileSummary, TableSummary
from scripts.snapshot.checksums import digest
from scripts.tables.output import write_csv

TRIAL = ("setting", "pair", "trial")
"""The columns that identify a trial."""

BY_TRIAL = ("trial_series",)
"""Tables of which readers fetch single trials by ranges: their row groups hold whole trials."""

TRIALS_IN_GROUP = 10
"""More would make a reader fetch many rows for one trial; fewer would make a long footer."""


def write_tables(snapshot: Path, site: Path, place: Place) -> tuple[TableSummary, ...]:
    """Write every table of a snapshot into data/v1/ of the site.

    The rows are streamed, and keep their order. The same snapshot gives the same bytes.

    Args:
        snapshot: the snapshot of the cycle.
        site: the root of the site.
        place: the cycle.

    Returns:
        The tables, sorted by name.

    Raises:
        UserError: a table cannot be read.
    """
    return tuple(_table(path, site, place) for path in sorted((snapshot / "tables").glob("*.parquet")))


def _table(source: Path, site: Path, place: Place) -> TableSummary:
    """Write one table as Parquet, and as CSV if it has not too many rows."""
    parquet, csv = (site / place.table(source.stem, form) for form in ("parquet", "csv"))
    try:
        with pq.ParquetFile(source, pre_buffer=False) as table, replacing(parquet) as fresh:
            _write(table, fresh, place, by_trial=source.stem in BY_TRIAL)
            rows: int = table.metadata.num_rows
    except pa.ArrowInvalid as error:
        raise UserError(f"{source}: not a Parquet table: {error}; verify the snapshot") from error
    write_csv(parquet)
    files = [path for path in (parquet, csv) if path.is_file()]
    return TableSummary(source.stem, rows, tuple(map(_file, files)))


def _file(path: Path) -> FileSummary:
    return FileSummary(path.suffix.removeprefix("."), path.stat().st_size, digest(path))


def _write(table: pq.ParquetFile, path: Path, place: Place, *, by_trial: bool) -> None:
    """Copy the rows of a table, with its partition as first columns.

    Only the snapshot of an incomplete cycle has the column `provisional`.
    """
    names = [name for name in table.schema_arrow.names if name != "provisional"]
    kept = pa.schema([table.schema_arrow.field(name) for name in names])
    own = pa.schema([("campaign", pa.string()), ("cycle", pa.string())])
    schema = pa.schema([*own, *kept])
    with _TrialWriter(path, schema) if by_trial else RowGroupWriter(path, schema) as writer:
        for batch in table.iter_batches(ROW_GROUP, columns=names):
            of = (pa.repeat(name, batch.num_rows) for name in (place.campaign, place.label))
            writer.write(pa.RecordBatch.from_arrays([*of, *batch.columns], schema=schema))


class _TrialWriter:
    """Writes rows that are sorted by trial. A row group ends with a trial.

    It holds at most TRIALS_IN_GROUP trials and, unless one trial is longer, ROW_GROUP rows. Only the columns
    that identify a trial have statistics, so that the footer stays short.
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(
            path, schema, compression="zstd", compression_level=1, write_statistics=list(TRIAL)
        )
        self._whole: list[pa.Table] = []  # whole trials of the next row group
        self._open = schema.empty_table()  # rows of the last trial, which may go on

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows. Complete row groups are written immediately."""
        rows = pa.concat_tables([self._open, pa.Table.from_batches([batch])])
        *ended, self._open = _trials(rows)
        for trial in ended:
            self._add(trial)

    def _add(self, trial: pa.Table) -> None:
        waiting = sum(whole.num_rows for whole in self._whole)
        if len(self._whole) == TRIALS_IN_GROUP or waiting + trial.num_rows > ROW_GROUP:
            self._write_group()
        self._whole.append(trial)

    def _write_group(self) -> None:
        if self._whole:
            self._writer.write_table(pa.concat_tables(self._whole), row_group_size=ROW_GROUP)
        self._whole = []

    def __enter__(self) -> "_TrialWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._open.num_rows:
            self._add(self._open)
            self._write_group()
        self._writer.close()


def _trials(rows: pa.Table) -> Iterator[pa.Table]:
    """The rows of each trial, in their order; `rows` itself if it is empty."""
    changes = np.zeros(max(rows.num_rows - 1, 0), dtype=bool)
    for name in TRIAL:
        column = rows[name].combine_chunks()
        different = pc.not_equal(column.slice(1), column.slice(0, len(changes)))
        changes |= different.to_numpy(zero_copy_only=False)
    borders = [0, *(np.flatnonzero(changes) + 1).tolist(), rows.num_rows]
    return (rows.slice(first, end - first) for first, end in pairwise(borders))
