"""The calibration trials as the pages need them."""

from typing import Any

from scripts.plan.calibration import PAIR
from scripts.site.inputs import Inputs
from scripts.site.pages import published
from scripts.tables.table_schema import load_schema

IN_WORDS = ("setting", "round", "trial", "status", "verdict", "reason", "discipline")


def calibration_pages(inputs: Inputs) -> list[dict[str, Any]]:
    """Every calibration trial: its row of `calibration`, its figures with their meaning, its files."""
    columns = [column for column in load_schema("calibration").columns if column.name not in IN_WORDS]
    pages = []
    for row in inputs.tables["calibration"]:
        nn = f"{row['trial']:02d}"
        figures = [
            {"name": column.name, "value": row[column.name], "unit": column.unit, "meaning": column.meaning}
            for column in columns
        ]
        folder = inputs.published_dir / row["setting"] / PAIR / nn
        pages.append(row | {"pair": PAIR, "nn": nn, "figures": figures} | published(folder))
    return pages
