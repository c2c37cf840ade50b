"""The data that compares settings and cycles: sweeps, and changes since the previous cycle."""

from scripts.charts.sweep_groups import axis_title, sweep_groups
from scripts.charts.table_rows import ChangeRow, PairRow
from scripts.site.inputs import Inputs, Row


def sweep_pages(inputs: Inputs) -> list[Row]:
    """Each sweep of the campaign: what was swept, its settings, and the chart of every pair."""
    rows = inputs.records("pairs", PairRow)
    pages: list[Row] = []
    for sweep in sweep_groups(inputs.campaign.settings):
        pairs = sorted({row.pair for row in rows if row.setting in sweep.at})
        charts = [inputs.chart(f"sweep-{sweep.name}-{pair}") for pair in pairs]
        pages.append(
            {
                "name": sweep.name,
                "title": sweep.title,
                "keys": [axis_title(key) for key in (sweep.key, *sweep.others)],
                "settings": list(sweep.at),
                "charts": [chart for chart in charts if chart],
            }
        )
    return pages


def change_page(inputs: Inputs) -> Row:
    """The table `changes`, counted and by setting. It has no cells if there is no previous cycle."""
    records = inputs.records("changes", ChangeRow)
    changes = list(zip(records, inputs.tables["changes"], strict=True))
    control = [record.changed for record in records if record.control]
    others = [record.changed for record in records if not record.control]
    return {
        "cells": len(records),
        "control": len(control),
        "control_changed": sum(control),
        "others": len(others),
        "others_changed": sum(others),
        "settings": [
            _setting(inputs, name, of_setting)
            for name in inputs.campaign.settings
            if (of_setting := [change for change in changes if change[0].setting == name])
        ],
    }


def _setting(inputs: Inputs, name: str, changes: list[tuple[ChangeRow, Row]]) -> Row:
    """The cells of a setting. Those that changed are sorted by their p, the smallest first."""
    changed = sorted(
        (change for change in changes if change[0].changed), key=lambda change: change[0].p_corrected
    )
    chart = inputs.chart(f"changes-{name}")
    return {
        "name": name,
        "charts": [chart] if chart else [],
        "changed": [row for _record, row in changed],
        "cells": [row for _record, row in changes],
    }
