"""The data that compares settings and cycles: sweeps, and changes since the previous cycle."""

from dataclasses import dataclass

from scripts.base.records import Scalar
from scripts.charts.setting_groups import axis_title, shown_together, sweep_groups
from scripts.charts.table_rows import ChangeRow, PairRow
from scripts.site.cycle.inputs import Inputs, Row


@dataclass(frozen=True)
class TestedChange(ChangeRow):
    """A row of `changes` with what its test could find."""

    tested: int
    smallest_p: float
    detectable: bool
    smallest_shift_mbps: float | None


def sweep_pages(inputs: Inputs) -> list[Row]:
    """Each sweep of the campaign with charts: what was swept, its settings, and the chart of every pair."""
    rows = inputs.records("pairs", PairRow)
    pages: list[Row] = []
    for sweep in sweep_groups(inputs.campaign.settings):
        pairs = sorted({row.pair for row in rows if row.setting in sweep.at})
        charts = [inputs.chart(f"sweep-{sweep.name}-{pair}") for pair in pairs]
        if not any(charts):
            continue
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


def setting_grids(inputs: Inputs) -> list[Row]:
    """The settings of every large sweep as a table: the values of its last key are the columns."""
    large = shown_together(inputs.campaign.settings)
    grids: list[Row] = []
    for sweep in sweep_groups(inputs.campaign.settings):
        *keys, last = sweep.keys
        if not large.isdisjoint(sweep.at):
            rows: dict[tuple[Scalar, ...], list[str]] = {}
            for setting, at in sweep.at.items():
                rows.setdefault(tuple(at[key] for key in keys), []).append(setting)
            grids.append(
                {
                    "title": sweep.title,
                    "keys": [axis_title(key) for key in keys],
                    "last": axis_title(last),
                    "values": sweep.values(last),
                    "rows": [{"values": list(values), "settings": names} for values, names in rows.items()],
                }
            )
    return grids


def change_page(inputs: Inputs) -> Row:
    """The table `changes`, counted by family and by setting.

    It has no cells if there is no earlier cycle that was measured in the same way. `not_compared` has the
    cycles that were passed over, and what differs.
    """
    records = inputs.records("changes", TestedChange)
    changes = list(zip(records, inputs.tables["changes"], strict=True))
    control = [record.changed for record in records if record.control]
    others = [record.changed for record in records if not record.control]
    return {
        "cells": len(records),
        "control": len(control),
        "control_changed": sum(control),
        "others": len(others),
        "others_changed": sum(others),
        "families": [_family(family) for family in _by_family(records)],
        "compared_with": inputs.provenance.compared_with,
        "not_compared": [
            {"cycle": cycle, "different": list(different)}
            for cycle, different in sorted(inputs.provenance.not_compared.items())
        ],
        "settings": [
            _setting(inputs, name, of_setting)
            for name in inputs.campaign.settings
            if (of_setting := [change for change in changes if change[0].setting == name])
        ],
    }


def _by_family(records: list[TestedChange]) -> list[list[TestedChange]]:
    """The cells of each family, over which p is corrected."""
    families = sorted({record.family for record in records})
    return [[record for record in records if record.family == family] for family in families]


def _family(records: list[TestedChange]) -> Row:
    """How many cells of a family were tested, and what the test could have found."""
    shifts = [record.smallest_shift_mbps for record in records if record.smallest_shift_mbps is not None]
    return {
        "name": records[0].family,
        "tested": records[0].tested,
        "detectable": sum(record.detectable for record in records),
        "smallest_p": min(record.smallest_p for record in records),
        "shift_lowest": min(shifts, default=None),
        "shift_highest": max(shifts, default=None),
    }


def _setting(inputs: Inputs, name: str, changes: list[tuple[TestedChange, Row]]) -> Row:
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
