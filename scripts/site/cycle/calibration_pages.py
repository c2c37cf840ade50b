"""The data of the pages of calibration trials."""

from scripts.charts.table_rows import TrialRow
from scripts.plan.calibration import PAIR
from scripts.site.cycle.inputs import Inputs, Row
from scripts.site.cycle.trial_pages import MEASURED_BY, published
from scripts.tables.table_schema import load_schema

IN_WORDS = ("setting", "round", "trial", "status", "verdict", "reason", "discipline", *MEASURED_BY)
"""Columns that a page shows outside its table of figures."""


def calibration_pages(inputs: Inputs) -> list[Row]:
    """Every calibration trial: its row of `calibration`, its figures with their meaning, its files."""
    columns = [column for column in load_schema("calibration").columns if column.name not in IN_WORDS]
    pages: list[Row] = []
    for row in inputs.tables["calibration"]:
        key = inputs.record(row | {"pair": PAIR}, "calibration", TrialRow).key
        figures = [
            {"name": column.name, "value": row[column.name], "unit": column.unit, "meaning": column.meaning}
            for column in columns
        ]
        pages.append(row | {"pair": PAIR, "nn": key.nn, "figures": figures} | published(inputs, key))
    return pages
