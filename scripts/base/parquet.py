"""Parquet files in row groups of one size, the same bytes for the same rows however they arrive."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP = 131_072
WORD = pa.dictionary(pa.int8(), pa.string())


class RowGroupWriter:
    """Writes batches of any size as row groups of ROW_GROUP rows, compressed with zstd level 1.

    Columns named in `counters` grow slowly and are stored as differences; all others as dictionaries. Columns
    of strings named in `words` arrive as dictionaries already, which saves looking up every value.
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
            # Otherwise readers would be told to give dictionaries too.
            store_schema=not words,
        )
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows; whole row groups go to the file at once."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            table = pa.Table.from_batches(self._waiting, schema=self._schema)
            whole = self._rows // ROW_GROUP * ROW_GROUP
            self._writer.write_table(table.slice(0, whole), row_group_size=ROW_GROUP)
            self._waiting = table.slice(whole).to_batches()
            self._rows -= whole

    def remark(self, key: str, value: Any) -> None:
        """Put something that concerns the whole file into its metadata, as JSON."""
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
    """Write a table that is at hand as a whole."""
    with RowGroupWriter(path, table.schema) as writer:
        for batch in table.to_batches():
            writer.write(batch)
