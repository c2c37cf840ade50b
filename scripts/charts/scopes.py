"""The scopes of charts: one chart for each setting, pair, service alone or sweep of a cycle."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from scripts.charts.completion_rows import CompletionRow, read_flows
from scripts.charts.fmp_charts import AccuracyRow, FmpRow, SettingK, fmp_pairs, fmp_sweeps, key_name
from scripts.charts.heatmap_cells import HARMS
from scripts.charts.setting_groups import SweepGroup, order_groups, sweep_groups
from scripts.charts.sweep_curves import swept_pairs
from scripts.charts.table_files import CycleTables
from scripts.charts.table_rows import ServiceRow, ShareBinRow, SoloRow, cells_of, grouped

Table = tuple[str, type[Any]]
"""The name of a table, and the class of its rows."""


@dataclass(frozen=True)
class At:
    """What one chart shows.

    Attributes:
        name: the end of its name, behind that of the kind; empty if there is only one chart of the kind.
        setting: the setting; empty if it shows several.
        shown: what the function that draws it gets besides the rows of its tables and the labels.
    """

    name: str
    setting: str = ""
    shown: tuple[Any, ...] = ()


Scope = Callable[[CycleTables], Iterator[At]]
"""A scope of a cycle, with one chart for each of its members."""


def settings_with(*tables: Table, also: tuple[Any, ...] = ()) -> Scope:
    """Each setting that has rows in any of these tables; `also` is shown with it."""

    def found(cycle: CycleTables) -> Iterator[At]:
        names = {row.setting for table, kind in tables for row in cycle.rows(table, kind)}
        return (At(name, name, (name, *also)) for name in sorted(names))

    return found


def matrices(kind: str) -> Scope:
    """Each setting with cells of the matrix of services; with harm, if services were also measured alone."""

    def found(cycle: CycleTables) -> Iterator[At]:
        for name in sorted({row.setting for row in cycle.pairs}):
            cells = cells_of(cycle.pairs, name)
            if any(kind not in HARMS or HARMS[kind].value(row) is not None for row in cells):
                yield At(name, name, (name, kind))

    return found


def pairs_of_two(cycle: CycleTables) -> Iterator[At]:
    """Each pair of two clients with shares, in each setting. Pairs of only calls and pages have none."""
    with_shares = {(row.setting, row.pair) for row in cycle.pairs}
    of_two = {(row.setting, row.pair) for row in cycle.rows("trial_services", ServiceRow) if row.clients == 2}
    return (
        At(f"{setting}-{pair}", setting, (setting, pair)) for setting, pair in sorted(of_two & with_shares)
    )


def pairs_over_time(cycle: CycleTables) -> Iterator[At]:
    """Each pair whose shares over time are known, in each setting; it brings its rows along."""
    rows = cycle.rows("share_over_time", ShareBinRow)
    for (setting, pair), of_pair in grouped(rows, lambda row: (row.setting, row.pair)).items():
        yield At(f"{setting}-{pair}", setting, (of_pair,))


def solos(cycle: CycleTables) -> Iterator[At]:
    """Each service alone, in each setting."""
    alone = sorted((row.setting, row.service) for row in cycle.rows("solo", SoloRow))
    return (At(f"{setting}-{service}", setting, (setting, service)) for setting, service in alone)


def sweeps(cycle: CycleTables) -> Iterator[At]:
    """Each sweep."""
    campaign = cycle.campaign
    return (At(sweep.name, shown=(sweep, campaign)) for sweep in sweep_groups(campaign.settings))


def sweep_pairs(cycle: CycleTables) -> Iterator[At]:
    """Each pair in each sweep; it brings its rows along."""
    for sweep in sweep_groups(cycle.campaign.settings):
        for pair, rows in swept_pairs(cycle.pairs, sweep).items():
            yield At(f"{sweep.name}-{pair}", shown=(rows, sweep))


def fmp_keys(cycle: CycleTables) -> Iterator[At]:
    """Each swept key of each pair that is judged over a sweep of several keys; it brings its rows along."""
    for sweep, pair in _fmp_pairs(cycle):
        ks = _of_pair(cycle, ("fmp_settings", SettingK), sweep, pair)
        rows = _of_pair(cycle, ("fmp", FmpRow), sweep, pair)
        for key in sweep.varied:
            yield At(f"{key_name(key)}-{sweep.name}-{pair}", shown=(ks, rows, sweep, key))


def fmp_draws(cycle: CycleTables) -> Iterator[At]:
    """The same for pairs in drawn settings."""
    for sweep, pair in _fmp_pairs(cycle):
        if rows := _of_pair(cycle, ("fmp_accuracy", AccuracyRow), sweep, pair):
            yield At(f"{sweep.name}-{pair}", shown=(rows, sweep))


def _fmp_pairs(cycle: CycleTables) -> Iterator[tuple[SweepGroup, str]]:
    for sweep in fmp_sweeps(cycle.campaign.settings):
        for row in fmp_pairs(cycle.rows("fmp", FmpRow), sweep):
            yield sweep, row.pair


def _of_pair(cycle: CycleTables, table: Table, sweep: SweepGroup, pair: str) -> list[Any]:
    return [row for row in cycle.rows(*table) if (row.sweep, row.pair) == (sweep.name, pair)]


def orders(cycle: CycleTables) -> Iterator[At]:
    """Each group of settings in which one client starts after the other."""
    for group in order_groups(cycle.campaign.settings):
        yield At(group.name, group.name if len(group.settings) == 1 else "", (group,))


def generated(cycle: CycleTables) -> Iterator[At]:
    """The whole cycle, if any service has generated flows."""
    if any(service.generator for service in cycle.campaign.services.values()):
        yield At("", shown=(cycle.campaign,))


def generated_settings(cycle: CycleTables) -> Iterator[At]:
    """Each setting with completion times, if any service has generated flows; it can read these flows."""
    for _ in generated(cycle):
        for at in settings_with(("completions", CompletionRow))(cycle):
            flows = partial(read_flows, cycle.folder, at.setting)
            yield At(at.name, at.setting, (flows, at.setting, cycle.campaign))
