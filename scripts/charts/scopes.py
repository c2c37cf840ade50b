"""What of a cycle there is one chart for each: settings, pairs, services alone, sweeps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from scripts.charts.completion_rows import CompletionRow
from scripts.charts.fmp_charts import FmpRow, fmp_pairs, fmp_sweeps, key_name
from scripts.charts.heatmap_cells import HARMS
from scripts.charts.setting_groups import order_groups, sweep_groups
from scripts.charts.sweep_curves import sweep_charts
from scripts.charts.table_files import CycleTables
from scripts.charts.table_rows import ShareBinRow, SoloRow, cells_of, grouped


@dataclass(frozen=True)
class At:
    """What one chart shows.

    Attributes:
        name: the end of its name, behind that of the kind; empty if there is only one chart of the kind.
        setting: the setting; empty if it shows several.
        shown: what else the function that draws it needs.
    """

    name: str
    setting: str = ""
    shown: tuple[Any, ...] = ()


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


def with_harm(kind: str) -> Scope:
    """Each setting of which any cell has this harm: services were also measured alone."""

    def found(cycle: CycleTables) -> Iterator[At]:
        for at in matrices(cycle):
            if any(HARMS[kind].value(row) is not None for row in cells_of(cycle.pairs, at.setting)):
                yield at

    return found


def pairs_of_two(cycle: CycleTables) -> Iterator[At]:
    """Each pair of two clients with shares, in each setting. Pairs of only calls and pages have none."""
    with_shares = {(row.setting, row.pair) for row in cycle.pairs}
    of_two = {(row.setting, row.pair) for row in cycle.trials if row.clients == 2}
    return (At(f"{setting}-{pair}", setting, (pair,)) for setting, pair in sorted(of_two & with_shares))


def pairs_over_time(cycle: CycleTables) -> Iterator[At]:
    """Each pair whose shares over time are known, in each setting; it brings its rows along."""
    rows = cycle.rows("share_over_time", ShareBinRow)
    for (setting, pair), of_pair in grouped(rows, lambda row: (row.setting, row.pair)).items():
        yield At(f"{setting}-{pair}", setting, (of_pair,))


def solos(cycle: CycleTables) -> Iterator[At]:
    """Each service alone, in each setting."""
    alone = sorted((row.setting, row.service) for row in cycle.rows("solo", SoloRow))
    return (At(f"{setting}-{service}", setting, (service,)) for setting, service in alone)


def sweeps(cycle: CycleTables) -> Iterator[At]:
    """Each sweep."""
    return (At(sweep.name, shown=(sweep,)) for sweep in sweep_groups(cycle.campaign.settings))


def sweep_pairs(cycle: CycleTables) -> Iterator[At]:
    """Each pair in each sweep; it brings its chart along."""
    for sweep in sweep_groups(cycle.campaign.settings):
        for name, chart in sweep_charts(cycle.pairs, sweep, cycle.labels):
            yield At(name.removeprefix("sweep-"), shown=(chart,))


def fmp_pairs_of(cycle: CycleTables) -> Iterator[At]:
    """Each pair that is judged over a sweep of several keys."""
    for sweep in fmp_sweeps(cycle.campaign.settings):
        for row in fmp_pairs(cycle.rows("fmp", FmpRow), sweep):
            yield At(f"{sweep.name}-{row.pair}", shown=(sweep, row.pair))


def fmp_keys(cycle: CycleTables) -> Iterator[At]:
    """Each swept key of each such pair."""
    for at in fmp_pairs_of(cycle):
        sweep, pair = at.shown
        for key in sweep.varied:
            yield At(f"{key_name(key)}-{at.name}", shown=(sweep, pair, key))


def orders(cycle: CycleTables) -> Iterator[At]:
    """Each group of settings in which one client starts after the other."""
    for group in order_groups(cycle.campaign.settings):
        yield At(group.name, group.name if len(group.settings) == 1 else "", (group,))


def generated(cycle: CycleTables) -> Iterator[At]:
    """The whole cycle, if any service has generated flows."""
    if any(service.generator for service in cycle.campaign.services.values()):
        yield At("")


def generated_settings(cycle: CycleTables) -> Iterator[At]:
    """Each setting with completion times, if any service has generated flows."""
    for _ in generated(cycle):
        yield from settings_with(("completions", CompletionRow))(cycle)
