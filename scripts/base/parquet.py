"""Parquet files in row groups of one size. The same rows give the same bytes, however they are batched."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.records import Json

ROW_GROUP = 131_072
WORD = pa.dictionary(pa.int8(), pa.string())


class RowGroupWriter:
    """Writes batches of any size as row groups of ROW_GROUP rows, compressed with zstd level 1.

    Columns in `counters` have slowly growing values and are stored as differences; all others are stored as
    dictionaries. Columns in `words` hold strings and arrive as dictionaries, which saves a lookup of each
    value.
    """

    def __init__(
        self, path: Path, schema: pa.Schema, counters: Sequence[str] = (), words: Sequence[str] = ()
    ) -> None:
        self._schema = pa.schema(
            [field.with_type(WORD) if field.name in words else field for field in schema], schema.metadata
        )
        self._writer = pq.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in schema.names if name not in counters],
            column_encoding=dict.fromkeys(counters, "DELTA_BINARY_PACKED"),
            # With Arrow's schema in the file, readers would return dictionaries instead of strings.
            store_schema=not words,
        )
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows. Complete row groups are written immediately."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            table = pa.Table.from_batches(self._waiting, schema=self._schema)
            whole = self._rows // ROW_GROUP * ROW_GROUP
            self._writer.write_table(table.slice(0, whole), row_group_size=ROW_GROUP)
            self._waiting = table.slice(whole).to_batches()
            self._rows -= whole

    def add_metadata(self, key: str, value: Json) -> None:
        """Store a value in the metadata of the file, as JSON."""
        self._writer.add_key_value_metadata({key: json.dumps(value)})

    def __enter__(self) -> "RowGroupWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._rows:
            self._writer.write_table(pa.Table.from_batches(self._waiting, schema=self._schema))
        self._writer.close()


def write_rows(path: Path, table: pa.Table) -> None:
    """Write a table that is in memory."""
    with RowGroupWriter(path, table.schema) as writer:
        for batch in table.to_batches():
            writer.write(batch)
