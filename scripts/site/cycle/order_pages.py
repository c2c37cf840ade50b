"""The data of pairs by which client starts first, on the pages of settings that say when clients start."""

from collections.abc import Iterable

from scripts.charts.setting_groups import OrderGroup, order_groups
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import OrderRow
from scripts.model.pairs import is_solo
from scripts.site.cycle.inputs import Inputs, Row


def order_charts(inputs: Inputs) -> list[str]:
    """The charts of pairs by which client starts first, in the order of their settings."""
    groups = order_groups(inputs.campaign.settings)
    return [chart for group in groups if (chart := inputs.chart(group.chart))]


def order_settings(inputs: Inputs) -> dict[str, Row]:
    """The settings in which one client starts after the other: their chart, and queue and retransmissions.

    `services` are the rows and columns of the table (Kunze et al. 2020, Table II), and `cells` its cells by
    first and second service. Settings that differ only in who starts first have one table. A self-pair is
    measured in each of them, so its cell has an entry for each.
    """
    rows = _rows(inputs)
    return {
        name: _of_group(inputs, group, [row for row in rows if row.setting in group.settings])
        for group in order_groups(inputs.campaign.settings)
        for name in group.settings
    }


def _rows(inputs: Inputs) -> list[OrderRow]:
    """The rows of pairs, in the order of the table."""
    return [row for row in read_rows(inputs.tables_dir, "orders", OrderRow) if not is_solo(row.pair)]


def _of_group(inputs: Inputs, group: OrderGroup, rows: Iterable[OrderRow]) -> Row:
    pairs: dict[tuple[str, str], list[OrderRow]] = {}
    for row in rows:
        pairs.setdefault((row.setting, row.pair), []).append(row)
    cells: dict[str, list[Row]] = {}
    for (setting, pair), of_pair in pairs.items():
        services = {row.started: row.service for row in of_pair}
        if services.keys() == {"first", "second"}:
            entry = {"page": f"pairs/{setting}/{pair}/"} | _entry(of_pair)
            cells.setdefault(f"{services['first']} {services['second']}", []).append(entry)
    named = {name for cell in cells for name in cell.split()}
    return {
        "chart": inputs.chart(group.chart),
        "title": group.title,
        "services": [name for name in inputs.campaign.services if name in named],
        "cells": cells,
    }


def _entry(rows: Iterable[OrderRow]) -> Row:
    """The queue of a pair, and the retransmissions of the service that starts first and of the other one."""
    figures = {(row.metric, row.started): _figure(row) for row in rows}
    return {
        "queue": figures["queue_fraction", "first"],
        "first": figures["retransmitted_packets", "first"],
        "second": figures["retransmitted_packets", "second"],
    }


def _figure(row: OrderRow) -> Row:
    """The median over the trials, with its interval. It is never a lower bound."""
    return {"n": row.n, "median": row.median, "low": row.low, "high": row.high, "at_least": None}
