"""Tables as files: Parquet for programs, CSV for readers."""

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from scripts.base.files import replacing
from scripts.base.parquet import RowGroupWriter
from scripts.tables.table_schema import load_schema

# The number of parts that become CSV while the next are written as Parquet; more would only take memory.
PARTS_AHEAD = 2


def write_table(parts: Iterable[pa.Table], table: str, folder: Path, *, with_csv: bool) -> None:
    """Write <table>.parquet, and <table>.csv if `with_csv`, from consecutive parts of the table.

    The same rows give the same bytes. Numbers in the CSV are the shortest that read back the same; null is
    an empty field.
    """
    schema = load_schema(table).arrow
    with ExitStack() as stack:
        parquet = stack.enter_context(replacing(folder / f"{table}.parquet"))
        writer = stack.enter_context(RowGroupWriter(parquet, schema))
        text = None
        if with_csv:
            stream = stack.enter_context(stack.enter_context(replacing(folder / f"{table}.csv")).open("wb"))
            text = stack.enter_context(_CsvWriter(stream, schema))
        for part in parts:
            if text is not None:
                text.write(part)
            for batch in part.to_batches():
                writer.write(batch)


class _CsvWriter:
    """Writes parts in their order; threads turn a few of them into text at once."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema) -> None:
        self._stream = stream
        self._pool = ThreadPoolExecutor(PARTS_AHEAD)
        self._waiting: deque[Future[pa.Buffer]] = deque()
        stream.write(_lines(schema.empty_table(), header=True))

    def write(self, part: pa.Table) -> None:
        """Add rows. Waits only if PARTS_AHEAD parts are still being turned into text."""
        if len(self._waiting) >= PARTS_AHEAD:
            self._stream.write(self._waiting.popleft().result())
        self._waiting.append(self._pool.submit(_lines, part, header=False))

    def __enter__(self) -> "_CsvWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._pool.shutdown(cancel_futures=kind is not None)
        if kind is None:
            for made in self._waiting:
                self._stream.write(made.result())


def _lines(rows: pa.Table, *, header: bool) -> pa.Buffer:
    """The rows as lines of CSV."""
    # Imported here because a trial's tables are not written as CSV, and importing it takes time.
    import pyarrow.csv as csv

    # For a batch without rows, write_csv of Arrow 26 writes uninitialised memory.
    rows = pa.Table.from_batches([batch for batch in rows.to_batches() if batch.num_rows], rows.schema)
    lines = pa.BufferOutputStream()
    csv.write_csv(rows, lines, csv.WriteOptions(quoting_style="needed", include_header=header))
    return lines.getvalue()
