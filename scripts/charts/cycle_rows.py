"""The tables of a cycle as charts read them, and what there is one chart for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import PairRow, ServiceRow, cells_of
from scripts.model.campaign import Campaign

Row = TypeVar("Row")


@dataclass(frozen=True)
class At:
    """What one chart shows.

    Attributes:
        name: the end of its name, behind that of the kind; empty if there is only one chart of the kind.
        setting: the setting; None if it shows several.
        shown: what else the function that draws it needs.
    """

    name: str
    setting: str | None = None
    shown: tuple[Any, ...] = ()


@dataclass(frozen=True)
class CycleTables:
    """The tables in a folder, each read once, and the campaign of the cycle."""

    folder: Path
    campaign: Campaign
    _read: dict[tuple[str, type[Any]], list[Any]] = field(default_factory=dict)

    @cached_property
    def labels(self) -> Labels:
        """The titles and colours of settings and services."""
        return make_labels(self.campaign.services, self.campaign)

    @property
    def trials(self) -> list[ServiceRow]:
        """The rows of trial_services."""
        return self.rows("trial_services", ServiceRow)

    @property
    def pairs(self) -> list[PairRow]:
        """The rows of pairs."""
        return self.rows("pairs", PairRow)

    def rows(self, table: str, kind: type[Row]) -> list[Row]:
        """The rows of a table.

        Raises:
            UserError: the table is missing or wrong.
        """
        if (table, kind) not in self._read:
            self._read[table, kind] = read_rows(self.folder, table, kind)
        return self._read[table, kind]


Scope = Callable[[CycleTables], Iterator[At]]
"""What of a cycle there is one chart for each."""


def settings_with(*tables: tuple[str, type[Any]]) -> Scope:
    """Each setting that has rows in any of these tables."""

    def found(cycle: CycleTables) -> Iterator[At]:
        names = {row.setting for table, kind in tables for row in cycle.rows(table, kind)}
        return (At(name, name) for name in sorted(names))

    return found


def matrices(cycle: CycleTables) -> Iterator[At]:
    """Each setting with cells of the matrix of services."""
    names = sorted({row.setting for row in cycle.pairs})
    return (At(name, name) for name in names if cells_of(cycle.pairs, name))


def pairs_of_two(cycle: CycleTables) -> Iterator[At]:
    """Each pair of two clients with shares, in each setting. Pairs of only calls and pages have none."""
    with_shares = {(row.setting, row.pair) for row in cycle.pairs}
    of_two = {(row.setting, row.pair) for row in cycle.trials if row.clients == 2}
    return (At(f"{setting}-{pair}", setting, (pair,)) for setting, pair in sorted(of_two & with_shares))
