"""What the pages claim about a generated cycle, through the real tables and the real sentences."""

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from scripts.figures.figure import Figure, as_figures
from scripts.site.data.figures import figures
from scripts.site.data.summary import ServiceSummary, SettingSummary
from scripts.site.story.names import Names
from scripts.site.story.worst_pair import pair_entry, worst_pair
from scripts.tables.output import write_table
from scripts.tables.table_list import names_of
from scripts.tables.table_schema import load_schema
from tests.truth.worlds import CAPACITY_MBPS, World, measure

AT_ONCE = 20

Cell = tuple[str, str]
"""Incumbent and contender."""


@dataclass(frozen=True)
class Claims:
    """What is claimed about one setting, which is one cycle.

    Attributes:
        headline: the sentence at the top of the front page.
        names_loser: whether it says that a service loses.
        named: the verdicts of the cells that lose or win.
        verdicts: those of all cells of two services.
        instance_verdicts: those of the self-pairs.
        instance_difference, scatter_difference: how far two instances differ, and how far by chance alone:
            the means over the services.
    """

    headline: str
    names_loser: bool
    verdicts: dict[Cell, str | None]
    instance_verdicts: list[str | None]
    instance_difference: float
    scatter_difference: float

    @property
    def named(self) -> dict[Cell, str]:
        """The cells that lose or win."""
        return {cell: word for cell, word in self.verdicts.items() if word in ("losing", "winning")}

    @property
    def cells(self) -> int:
        """The number of cells of two services."""
        return len(self.verdicts)

    @property
    def fair(self) -> int:
        """How many of them are fair."""
        return sum(word == "fair" for word in self.verdicts.values())


def needed() -> tuple[str, ...]:
    """The tables that `pairs` is made from, in the order of building, with `pairs`."""
    wanted = {"pairs"}
    order = names_of("cycle")
    for name in reversed(order):
        if name in wanted:
            wanted |= {*load_schema(name).sources}
    return tuple(name for name in order if name in wanted)


def claims_of(world: World, seed: int, folder: Path) -> list[Claims]:
    """Measure cycles of a world and read what is claimed about each.

    The tables of more than AT_ONCE cycles need more memory than DuckDB may take.
    """
    portions = [
        replace(world, first_draw=first, draws=min(AT_ONCE, world.draws - first))
        for first in range(0, world.draws, AT_ONCE)
    ]
    return [claims for one in portions for claims in _portion(one, seed, folder / f"from-{one.first_draw}")]


def _portion(world: World, seed: int, folder: Path) -> list[Claims]:
    tables = measure(world, seed, folder, needed())
    write_table([], "changes", tables, with_csv=False)
    rows = pq.read_table(tables / "pairs.parquet").to_pylist()
    found = as_figures(figures(tables))
    return [
        _claims(world, name, [row for row in rows if row["setting"] == name], found)
        for name in world.campaign.settings
    ]


def _claims(world: World, setting: str, rows: list[dict[str, Any]], found: Iterable[Figure]) -> Claims:
    own = [row for row in found if row.setting == setting]
    link = SettingSummary(setting, setting, CAPACITY_MBPS, "a link")
    names = Names(ServiceSummary(name, name, "File", "throughput") for name in world.names)
    itself = [row for row in rows if row["instance"] == "worse_off"]
    differences = _medians(own, "instance_difference")
    worst = worst_pair(own, [setting])
    assert worst is not None
    top = pair_entry(worst, own, [link], names)
    return Claims(
        f"{top['before']}{top['share']}{top['after']}".replace("\u00a0", " "),
        top["verdict"] == "losing",
        {(row["incumbent"], row["contender"]): row["verdict"] for row in rows if row["instance"] == "first"},
        [row["verdict"] for row in itself],
        statistics.mean(differences),
        statistics.mean(row["scatter_difference"] for row in itself),
    )


def _medians(rows: Iterable[Figure], figure: str) -> Iterator[float]:
    return (row.median for row in rows if row.figure == figure and row.median is not None)
