"""The project's formulas as functions of DuckDB, for the tables that summarise a cycle."""

import duckdb

from scripts.metrics.fairness import jain, max_min_fair_rates
from scripts.metrics.statistics import median_ci
from scripts.tables.schema import FOLDER

CONFIDENCE = 0.95


def add_formulas(connection: duckdb.DuckDBPyConnection) -> None:
    """Make max_min_fair_rates, jain, median_low, median_high and summary (summary_macro.sql) known."""
    connection.create_function("max_min_fair_rates", max_min_fair_rates, ["DOUBLE", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("jain", jain, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("median_low", _median_low, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("median_high", _median_high, ["DOUBLE[]"], "DOUBLE")
    connection.execute((FOLDER / "summary_macro.sql").read_text(encoding="utf-8"))


def _median_low(values: list[float]) -> float:
    """Low end of the median's interval; NaN where there is none (a function of DuckDB cannot give null)."""
    return median_ci(values, CONFIDENCE)[0]


def _median_high(values: list[float]) -> float:
    """High end of the median's interval; NaN where there is none."""
    return median_ci(values, CONFIDENCE)[2]
