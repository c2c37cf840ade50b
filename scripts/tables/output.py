"""Tables as files: Parquet for programs, CSV for readers."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv

from scripts.extract.parquet import RowGroupWriter
from scripts.files import replacing
from scripts.tables.schema import load_schema


def write_table(parts: Iterable[pa.Table], table: str, folder: Path, *, with_csv: bool) -> None:
    """Write <table>.parquet, and <table>.csv if asked for, from consecutive parts of the table.

    The same rows give the same bytes. Numbers in the CSV are the shortest that read back the same; null is
    an empty field.
    """
    schema = load_schema(table).arrow
    with ExitStack() as stack:
        parquet = stack.enter_context(replacing(folder / f"{table}.parquet"))
        writers: list[RowGroupWriter | csv.CSVWriter] = [stack.enter_context(RowGroupWriter(parquet, schema))]
        if with_csv:
            text = stack.enter_context(replacing(folder / f"{table}.csv"))
            options = csv.WriteOptions(quoting_style="needed")
            writers.append(stack.enter_context(csv.CSVWriter(text, schema, write_options=options)))
        pool = stack.enter_context(ThreadPoolExecutor(len(writers)))
        for part in parts:
            for batch in part.combine_chunks().to_batches():
                list(pool.map(lambda writer, rows=batch: writer.write(rows), writers))
