"""The data of pairs by which client starts first, on the pages of settings that say when clients start.

Cycles that were measured before there was the table orders lack it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.charts.order_groups import OrderGroup, order_groups
from scripts.charts.table_files import read_rows
from scripts.model.pairs import is_solo
from scripts.site.cycle.inputs import Inputs, Row


@dataclass(frozen=True)
class OrderRow:
    """A row of orders."""

    setting: str
    pair: str
    service: str
    started: str
    metric: str
    n: int
    median: float | None
    low: float | None
    high: float | None

    @property
    def figure(self) -> Row:
        """The median over the trials, with its interval. It is never a lower bound."""
        known: Row = {name: getattr(self, name) for name in ("n", "median", "low", "high")}
        return known | {"at_least": None}


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
    if not (inputs.tables_dir / "orders.parquet").is_file():
        return []
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
    figures = {(row.metric, row.started): row.figure for row in rows}
    return {
        "queue": figures["queue_fraction", "first"],
        "first": figures["retransmitted_packets", "first"],
        "second": figures["retransmitted_packets", "second"],
    }
