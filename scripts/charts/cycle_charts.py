"""The charts that need more than one trial, from the tables of a cycle."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.processes import end_with_parent
from scripts.charts.changes import changes_chart
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.heatmap import HEATMAPS, heatmap
from scripts.charts.multiple_flows import multiple_flows_chart
from scripts.charts.origin import read_origin
from scripts.charts.qoe_charts import QOE_CHARTS, qoe_chart
from scripts.charts.render import write_chart
from scripts.charts.setting_dots import setting_dots
from scripts.charts.sweep_curves import sweep_charts
from scripts.charts.sweep_groups import sweep_groups
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import (
    ChangeRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    ServiceRow,
    SoloRow,
    WorkloadRow,
    cells_of,
)
from scripts.charts.theme import Figure
from scripts.model.campaign import Campaign


@dataclass(frozen=True)
class CycleChart:
    """A chart that can be drawn.

    Attributes:
        name: the name of its files.
        setting: the setting that it shows; None if it shows several.
        draw: makes the chart; None if it would show nothing.
    """

    name: str
    setting: str | None
    draw: Callable[[], Figure | None]


def write_cycle_charts(tables: Path, campaign: Campaign, output: Path, jobs: int = 1) -> None:
    """Write every chart of a cycle in every form.

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.
        output: the folder for the charts.
        jobs: processes that draw at the same time.
    """
    write = partial(_write_some, tables, campaign, output, jobs)
    if jobs < 2:
        write(0)
        return
    # A forked process would share the threads of Arrow and of the renderer.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, end_with_parent) as pool:
        list(pool.map(write, range(jobs)))


def write_cycle_chart(tables: Path, campaign: Campaign, output: Path, name: str) -> None:
    """Write one chart. The arguments are those of `write_cycle_charts`.

    Raises:
        UserError: the tables have no such chart.
    """
    for chart in cycle_charts(tables, campaign):
        if chart.name == name and _write(chart, tables, output):
            return
    raise UserError(f"{tables}: no chart {name!r}; without --only, every chart is written")


def _write_some(tables: Path, campaign: Campaign, output: Path, jobs: int, start: int) -> None:
    """Write each `jobs`th chart from `start`, so that processes share the work."""
    for chart in islice(cycle_charts(tables, campaign), start, None, jobs):
        _write(chart, tables, output)


def _write(chart: CycleChart, tables: Path, output: Path) -> bool:
    figure = chart.draw()
    if figure is not None:
        write_chart(figure, output, chart.name, read_origin(tables).of(chart.setting))
    return figure is not None


def cycle_charts(tables: Path, campaign: Campaign) -> Iterator[CycleChart]:
    """Every chart of a cycle except those of single trials, in a fixed order.

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.

    Raises:
        UserError: a table is missing or wrong.
    """
    trials = read_rows(tables, "trial_services", ServiceRow)
    pairs = read_rows(tables, "pairs", PairRow)
    labels = make_labels(campaign.services, campaign)
    yield from _pair_charts(trials, pairs, labels)
    yield from _solo_charts(trials, read_rows(tables, "solo", SoloRow), labels)
    for sweep in sweep_groups(campaign.settings):
        for name, chart in sweep_charts(pairs, sweep, labels):
            yield CycleChart(name, None, partial(_as_it_is, chart))
    yield from _qoe_charts(tables, trials, pairs, labels)
    changes = read_rows(tables, "changes", ChangeRow)
    for setting in sorted({row.setting for row in changes}):
        draw = partial(changes_chart, changes, setting, labels)
        yield CycleChart(f"changes-{setting}", setting, draw)


def _as_it_is(chart: Figure) -> Figure:
    return chart


def _pair_charts(trials: list[ServiceRow], pairs: list[PairRow], labels: Labels) -> Iterator[CycleChart]:
    for setting in sorted({row.setting for row in pairs}):
        if cells_of(pairs, setting):
            for kind in HEATMAPS:
                draw = partial(heatmap, pairs, setting, kind, labels)
                yield CycleChart(f"{kind}-{setting}", setting, draw)
        yield CycleChart(f"dots-{setting}", setting, partial(setting_dots, pairs, setting, labels))
    # Pairs of only calls and pages have no shares, so they have no row in `pairs`.
    with_shares = {(row.setting, row.pair) for row in pairs}
    of_two = {(row.setting, row.pair) for row in trials if row.clients == 2}
    for setting, pair in sorted(of_two & with_shares):
        draw_pair = partial(pair_dots, trials, pairs, setting, labels, pair)
        yield CycleChart(f"dots-{setting}-{pair}", setting, draw_pair)


def _solo_charts(trials: list[ServiceRow], solo: list[SoloRow], labels: Labels) -> Iterator[CycleChart]:
    for setting, service in sorted((row.setting, row.service) for row in solo):
        draw = partial(solo_dots, trials, solo, setting, service, labels)
        yield CycleChart(f"dots-{setting}-{service}", setting, draw)


def _qoe_charts(
    tables: Path, trials: list[ServiceRow], pairs: list[PairRow], labels: Labels
) -> Iterator[CycleChart]:
    """The charts of services with several flows, and those of videos, calls and pages, by setting."""
    workloads = read_rows(tables, "workloads", WorkloadRow)
    qoe_pairs = read_rows(tables, "qoe_pairs", QoePairRow)
    loads = read_rows(tables, "qoe_web", PageLoadRow)
    for setting in sorted({row.setting for row in workloads} | {row.setting for row in qoe_pairs}):
        flows = partial(multiple_flows_chart, pairs, workloads, setting, labels)
        yield CycleChart(f"flows-{setting}", setting, flows)
        for kind in QOE_CHARTS:
            draw = partial(qoe_chart, qoe_pairs, trials, loads, setting, kind, labels)
            yield CycleChart(f"{kind}-{setting}", setting, draw)
