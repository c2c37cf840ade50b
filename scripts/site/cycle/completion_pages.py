"""The data of the completion times of generated flows on the pages of settings, pairs and solos."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import pyarrow.compute as pc

from scripts.charts.table_files import read_table
from scripts.model.pairs import contenders, is_solo, pair_name
from scripts.site.cycle.inputs import Inputs, Row

SHOWN = {
    ("slowdown", "mean"): "mean",
    ("slowdown", "maximum"): "maximum",
    ("srpt_slowdown", "mean"): "ideal_mean",
    ("srpt_slowdown", "maximum"): "ideal_maximum",
    ("fct_ms", "median"): "fct_ms",
    ("data_ms", "median"): "data_ms",
    ("retransmissions", "mean"): "retransmissions",
}
"""The names of the figures that pages show, by metric and statistic over the flows of a trial."""

CHARTS_OF_SETTING = ("slowdown-by-size", "completion")

CellKey = tuple[str, str]
"""A setting, and a pair or solo."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class FlowsRow:
    """A row of completions."""

    setting: str
    service: str
    contender: str
    instance: str
    size_class: str
    metric: str
    statistic: str
    n: int
    flows: int
    censored: int
    median: float | None
    low: float | None
    high: float | None
    at_least: float | None

    @property
    def cell(self) -> CellKey:
        """The setting, and the pair or solo."""
        return self.setting, pair_name([self.service, *contenders(self.contender)])

    @property
    def figure(self) -> Row:
        """The median over the trials, with its interval."""
        return {name: getattr(self, name) for name in ("median", "low", "high", "at_least")}


def completions_by_cell(inputs: Inputs) -> dict[CellKey, list[Row]]:
    """The completion times in every pair and solo, an entry for each service and instance.

    An entry has `all`, the figures over flows of every size, and `classes`, those of each size class, the
    smallest sizes first.
    """
    return {cell: _entries(rows) for cell, rows in _grouped(_shown(inputs), lambda row: row.cell).items()}


def slowest_by_cell(inputs: Inputs) -> dict[CellKey, Row]:
    """The largest slowdown in every pair and solo, of all services and instances, with its interval."""
    largest = ("all", "slowdown", "maximum")
    rows = [row for row in _shown(inputs) if (row.size_class, row.metric, row.statistic) == largest]
    return {
        cell: max(of_cell, key=lambda row: row.median or 0).figure
        for cell, of_cell in _grouped(rows, lambda row: row.cell).items()
    }


def _shown(inputs: Inputs) -> list[FlowsRow]:
    """The rows of single flows whose figures are shown, in the order of the table."""
    table = read_table(inputs.tables_dir, "completions").filter(pc.field("subject") == "flow")
    rows = (row for row in table.to_pylist() if (row["metric"], row["statistic"]) in SHOWN)
    return [inputs.record(row, "completions", FlowsRow) for row in rows]


def _entries(rows: Iterable[FlowsRow]) -> list[Row]:
    """The services of a cell by name; of a self-pair, the flows of each client, then of both together."""
    sides = _grouped(rows, lambda row: (row.service, row.contender, row.instance))
    return [
        {"service": service, "contender": contender, "instance": instance, **_sizes(of_side)}
        for (service, contender, instance), of_side in sides.items()
    ]


def _sizes(rows: Iterable[FlowsRow]) -> Row:
    every, *others = map(_size_class, _grouped(rows, lambda row: row.size_class).values())
    return {"all": every, "classes": others}


def _size_class(rows: list[FlowsRow]) -> Row:
    """The figures of a size class. Every slowdown is of as many trials and flows as any other."""
    one = next(row for row in rows if row.metric == "slowdown")
    figures = {SHOWN[row.metric, row.statistic]: row.figure for row in rows}
    counts = {"n": one.n, "flows": one.flows, "censored": one.censored}
    return {"size_class": one.size_class, **counts, "figures": figures}


def _grouped(rows: Iterable[FlowsRow], key: Callable[[FlowsRow], Key]) -> dict[Key, list[FlowsRow]]:
    groups: dict[Key, list[FlowsRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def completion_settings(inputs: Inputs) -> dict[str, Row]:
    """The settings with generated flows: the entry of each pair and solo with its page, and the charts."""
    settings: dict[str, Row] = {}
    cells = completions_by_cell(inputs)
    for name in inputs.campaign.settings:
        mine = sorted((cell for cell in cells if cell[0] == name), key=lambda cell: not is_solo(cell[1]))
        rows = [entry | {"page": _page(cell)} for cell in mine for entry in cells[cell]]
        charts = [chart for kind in CHARTS_OF_SETTING if (chart := inputs.chart(f"{kind}-{name}"))]
        if rows:
            settings[name] = {"rows": rows, "charts": charts}
    return settings


def _page(cell: CellKey) -> str:
    setting, pair = cell
    return f"{'solos' if is_solo(pair) else 'pairs'}/{setting}/{pair}/"
