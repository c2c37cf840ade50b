"""The data that compares settings and cycles: sweeps, who starts first, changes since the cycle before."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from scripts.charts.chart_labels import Labels
from scripts.charts.fmp_charts import FmpRow, chart_names, fmp_sweeps
from scripts.charts.setting_groups import (
    OrderGroup,
    SweepGroup,
    axis_title,
    order_groups,
    shown_together,
    sweep_groups,
)
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import ChangeRow, OrderRow, PairRow, grouped
from scripts.model.pairs import is_solo
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs


def sweep_pages(inputs: Inputs) -> list[Row]:
    """Each sweep of the campaign with charts: what was swept, its settings, and the chart of every pair."""
    rows = inputs.records("pairs", PairRow)
    pages: list[Row] = []
    for sweep in sweep_groups(inputs.campaign.settings):
        pairs = sorted({row.pair for row in rows if row.setting in sweep.at})
        if charts := inputs.existing(f"sweep-{sweep.name}-{pair}" for pair in pairs):
            keys = [axis_title(key) for key in (sweep.key, *sweep.others)]
            page: Row = {"name": sweep.name, "title": sweep.title, "keys": keys}
            pages.append(page | {"settings": list(sweep.at), "charts": charts})
    return pages


def setting_grids(inputs: Inputs) -> list[Row]:
    """The settings of every large sweep as a table: the values of its last key are the columns."""
    large = shown_together(inputs.campaign.settings)
    return [
        _grid(group) for group in sweep_groups(inputs.campaign.settings) if not large.isdisjoint(group.at)
    ]


def _grid(sweep: SweepGroup) -> Row:
    *keys, last = sweep.keys
    rows = grouped(sweep.at, lambda setting: tuple(sweep.at[setting][key] for key in keys))
    return {
        "title": sweep.title,
        "keys": [axis_title(key) for key in keys],
        "last": axis_title(last),
        "values": sweep.values(last),
        "rows": [{"values": list(values), "settings": settings} for values, settings in rows.items()],
    }


def change_page(inputs: Inputs) -> Row:
    """The table `changes`, by setting: the cells that changed first, by their p.

    It has no cells if there is no earlier cycle that was measured in the same way. `not_compared` has the
    cycles that were passed over, and what differs.
    """
    changes = inputs.with_rows("changes", ChangeRow)
    changed = [record for record, _row in changes if record.changed]
    ordered = sorted(changes, key=lambda change: (not change[0].changed, change[0].p_corrected))
    by_setting = grouped(ordered, lambda change: change[0].setting)
    services = inputs.rows_by("service_changes", "setting")
    return {
        "cells": len(changes),
        "changed": len(changed),
        "control_changed": sum(record.control for record in changed),
        "compared_with": inputs.provenance.compared_with,
        "not_compared": [
            {"cycle": cycle, "different": list(different)}
            for cycle, different in sorted(inputs.provenance.not_compared.items())
        ],
        "settings": [
            {
                "name": name,
                "charts": inputs.existing([f"changes-{name}"]),
                "services": services.get((name,), []),
                "cells": [row for _record, row in by_setting[name]],
            }
            for name in inputs.campaign.settings
            if name in by_setting
        ],
    }


@dataclass(frozen=True)
class FmpFigures(FmpRow):
    """A row of fmp with the figures that the page shows."""

    settings: int
    k_percentile: float | None
    low: float | None
    high: float | None
    first_dominates: int
    other_dominates: int


def fmp_sections(inputs: Inputs) -> list[Row]:
    """Each sweep of several keys in which a pair has a K: a row for each pair, and its charts."""
    rows = [row for row in read_rows(inputs.tables_dir, "fmp", FmpFigures) if row.key == ""]
    return [
        _fmp_section(sweep, of_sweep, inputs)
        for sweep in fmp_sweeps(inputs.campaign.settings)
        if (of_sweep := [row for row in rows if row.sweep == sweep.name])
    ]


def _fmp_section(sweep: SweepGroup, rows: list[FmpFigures], inputs: Inputs) -> Row:
    return {
        "name": sweep.name,
        "title": sweep.title,
        "keys": [axis_title(key) for key in sweep.varied],
        "settings": len(sweep.at),
        "rows": [_fmp_row(row, inputs.labels) for row in rows],
        "charts": [
            {"title": inputs.labels.pair(row.pair), "names": inputs.existing(chart_names(sweep, row.pair))}
            for row in rows
        ],
    }


def _fmp_row(row: FmpFigures, labels: Labels) -> Row:
    """A pair, as Table II of Corbel et al. has it."""
    return asdict(row) | {
        "title": labels.pair(row.pair),
        "k": {"median": row.k_abs_median, "low": row.k_abs_low, "high": row.k_abs_high, "at_least": None},
        "percentile": {"median": row.k_percentile, "low": row.low, "high": row.high, "at_least": None},
    }


def order_charts(inputs: Inputs) -> list[str]:
    """The charts of pairs by which client starts first, in the order of their settings."""
    return inputs.existing(group.chart for group in order_groups(inputs.campaign.settings))


def order_settings(inputs: Inputs) -> dict[str, Row]:
    """The settings in which one client starts after the other: their chart, and queue and retransmissions.

    `services` are the rows and columns of the table (Kunze et al. 2020, Table II), and `cells` its cells by
    first and second service. Settings that differ only in who starts first have one table. A self-pair is
    measured in each of them, so its cell has an entry for each.
    """
    rows = [row for row in read_rows(inputs.tables_dir, "orders", OrderRow) if not is_solo(row.pair)]
    return {
        name: _order_group(inputs, group, [row for row in rows if row.setting in group.settings])
        for group in order_groups(inputs.campaign.settings)
        for name in group.settings
    }


def _order_group(inputs: Inputs, group: OrderGroup, rows: Iterable[OrderRow]) -> Row:
    cells: dict[str, list[Row]] = {}
    for (setting, pair), of_pair in grouped(rows, lambda row: (row.setting, row.pair)).items():
        services = {row.started: row.service for row in of_pair}
        if services.keys() == {"first", "second"}:
            entry = {"page": f"pairs/{setting}/{pair}/"} | _order_entry(of_pair)
            cells.setdefault(f"{services['first']} {services['second']}", []).append(entry)
    named = {name for cell in cells for name in cell.split()}
    return {
        "chart": inputs.chart(group.chart),
        "title": group.title,
        "services": [name for name in inputs.campaign.services if name in named],
        "cells": cells,
    }


def _order_entry(rows: Iterable[OrderRow]) -> Row:
    """The queue of a pair, and the retransmissions of the service that starts first and of the other one.

    Each is the median over the trials, with its interval. It is never a lower bound.
    """
    figures = {
        (row.metric, row.started): {name: getattr(row, name) for name in ("n", "median", "low", "high")}
        for row in rows
    }
    return {
        "queue": figures["queue_fraction", "first"],
        "first": figures["retransmitted_packets", "first"],
        "second": figures["retransmitted_packets", "second"],
    }
