"""Runs scripts/tables/<table>.sql in DuckDB: bind parameters in, a checked Arrow table out."""

import os
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scripts.tables.table_schema import FOLDER, check, load_schema

# The result does not depend on it: whole numbers are summed, and every order is stated.
THREADS = len(os.sched_getaffinity(0))


# What a query may hold; what is larger goes to files beside the system's temporary ones. The process itself
# and what DuckDB does not count come on top; all together stay below 2 GiB.
MEMORY = "1GiB"


def connect() -> duckdb.DuckDBPyConnection:
    """An empty database in memory."""
    spill = str(Path(tempfile.gettempdir()) / "observatory-tables")
    return duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY, "temp_directory": spill})


def build(connection: duckdb.DuckDBPyConnection, table: str, inputs: dict[str, Any]) -> pa.Table:
    """Run a table's query and check the result against the table's schema.

    Args:
        connection: what `connect` gave.
        table: names the .sql and .yaml file.
        inputs: bind parameters by name: the paths of Parquet files, and lists.

    Raises:
        SchemaError: the result is not what the schema says.
    """
    query = (FOLDER / f"{table}.sql").read_text(encoding="utf-8")
    bound = {name: str(value) if isinstance(value, Path) else value for name, value in inputs.items()}
    rows = connection.sql(query, params=bound).to_arrow_table()
    check(rows, load_schema(table))
    return rows
