"""Runs scripts/tables/<table>.sql in DuckDB: bind parameters in, a checked Arrow table out."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scripts.metrics.fairness import jain, max_min_fair_rates
from scripts.metrics.statistics import median_ci
from scripts.tables.schema import FOLDER, check, load_schema

CONFIDENCE = 0.95


def connect() -> duckdb.DuckDBPyConnection:
    """An empty database in memory that knows the project's formulas; one thread, so that order is order."""
    connection = duckdb.connect(config={"threads": 1})
    connection.create_function("max_min_fair_rates", max_min_fair_rates, ["DOUBLE", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("jain", jain, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("median_low", _median_low, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("median_high", _median_high, ["DOUBLE[]"], "DOUBLE")
    connection.execute((FOLDER / "summary_macro.sql").read_text(encoding="utf-8"))
    return connection


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


def _median_low(values: list[float]) -> float:
    """Low end of the median's interval; NaN where there is none (a function of DuckDB cannot give null)."""
    return median_ci(values, CONFIDENCE)[0]


def _median_high(values: list[float]) -> float:
    """High end of the median's interval; NaN where there is none."""
    return median_ci(values, CONFIDENCE)[2]
