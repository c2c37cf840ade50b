"""What pages say across settings and cycles: the sweeps, and what changed since the cycle before."""

from typing import Any

from scripts.charts.sweep_curves import axis_title, sweeps
from scripts.site.inputs import Inputs, existing

Row = dict[str, Any]


def sweep_pages(inputs: Inputs) -> list[Row]:
    """Each sweep of the campaign: what was swept, its settings, and the chart of every pair."""
    pages = []
    for sweep in sweeps(inputs.config["settings"]):
        pairs = sorted({row["pair"] for row in inputs.tables["pairs"] if row["setting"] in sweep.at})
        pages.append(
            {
                "of": sweep.of,
                "title": sweep.title,
                "keys": [axis_title(key) for key in (sweep.key, *sweep.others)],
                "settings": list(sweep.at),
                "charts": [name for pair in pairs if (name := existing(inputs, f"sweep-{sweep.of}-{pair}"))],
            }
        )
    return pages


def change_page(inputs: Inputs) -> Row:
    """The table `changes`, counted and by setting; it has no cells if there is no cycle before."""
    rows = inputs.tables["changes"]
    control = [row for row in rows if row["control"]]
    others = [row for row in rows if not row["control"]]
    return {
        "cells": len(rows),
        "control": len(control),
        "control_changed": _changed(control),
        "others": len(others),
        "others_changed": _changed(others),
        "settings": [
            _setting(inputs, name, [row for row in rows if row["setting"] == name])
            for name in inputs.config["settings"]
            if any(row["setting"] == name for row in rows)
        ],
    }


def _setting(inputs: Inputs, name: str, rows: list[Row]) -> Row:
    """The cells of a setting: those that changed, the surest first, and all."""
    changed = sorted((row for row in rows if row["changed"]), key=lambda row: row["p_corrected"])
    return {
        "name": name,
        "charts": [chart for chart in [existing(inputs, f"changes-{name}")] if chart],
        "changed": changed,
        "cells": rows,
    }


def _changed(rows: list[Row]) -> int:
    return sum(row["changed"] for row in rows)
