"""Runs scripts/tables/<table>.sql in DuckDB: bind parameters in, a checked Arrow table out."""

import os
import secrets
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from scripts.tables.table_schema import check, load_schema, sql_of

# The result does not depend on the number of threads: whole numbers are summed, and every order is stated.
# More of them would need more address space than a confined process has (scripts/extract/confined.py).
THREADS = min(8, len(os.sched_getaffinity(0)))

# A query that needs more memory than this writes the rest to temporary files. The process itself, and memory
# that DuckDB does not count, come on top; together they stay below 2 GiB.
MEMORY = "1GiB"

# DuckDB would rather give the rows of a relation, without a copy of them. It plans the query of a relation
# twice, which takes longer than the copy.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)

BindParameters = Mapping[str, object]
"""Values for the `$name`s of a query: the paths of Parquet files, numbers, lists, and lists of records."""


def connect() -> duckdb.DuckDBPyConnection:
    """An empty database in memory.

    DuckDB makes the folder of its temporary files when it needs it, and removes it. Nobody can make it first,
    with links in it, because nobody knows its name.
    """
    spill = str(Path(tempfile.gettempdir()) / f"observatory-tables-{secrets.token_hex(16)}")
    return duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY, "temp_directory": spill})


def build(connection: duckdb.DuckDBPyConnection, table: str, inputs: BindParameters) -> pa.Table:
    """Run a table's query and check the result against the table's schema.

    Args:
        connection: from `connect`, with the formulas that the query uses.
        table: the name of the .sql and .yaml file. If there is a folder of this name, each of its files is a
            query of its own, and the table's query reads their rows together, as `parts`.
        inputs: the query's sources and parameters by name.

    Raises:
        TableSchemaError: the result does not match the schema.
    """
    query, *parts = (path.read_text(encoding="utf-8") for path in sql_of(table))
    if parts:
        union = "\nunion all by name\n".join(f"({part})" for part in parts)
        query = f"with parts as ({union})\n{query}"
    bound = {name: str(value) if isinstance(value, Path) else value for name, value in inputs.items()}
    rows = connection.execute(query, bound).to_arrow_table()
    check(connection, rows, load_schema(table))
    return rows


def checked(table: str, rows: Sequence[Mapping[str, object]]) -> pa.Table:
    """Rows that Python made, as the table of this name.

    Raises:
        TableSchemaError: they do not match the table's schema.
    """
    schema = load_schema(table)
    made = pa.Table.from_pylist(rows, schema=schema.arrow)
    with connect() as connection:
        check(connection, made, schema)
    return made
