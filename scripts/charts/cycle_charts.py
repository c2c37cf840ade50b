"""The charts that need more than one trial, from the tables of a cycle."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.charts.bbr_model import bbr_model
from scripts.charts.changes import changes_chart
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.completion_boxes import completion_boxes
from scripts.charts.completion_rows import CompletionRow, read_flows
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.fmp_accuracy import AccuracyRow, fmp_accuracy
from scripts.charts.fmp_rows import FmpRow, SettingK, accuracy_chart, fmp_pairs, fmp_sweeps, k_chart
from scripts.charts.fness_boxes import fness_boxes
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.k_by_key import k_by_key
from scripts.charts.metric_rows import MetricRow, ModelRow
from scripts.charts.model_ratios import model_ratios
from scripts.charts.multiple_flows import multiple_flows_chart
from scripts.charts.order_groups import order_groups
from scripts.charts.order_rows import FnessRow, OrderRow
from scripts.charts.predictions import prediction_chart
from scripts.charts.qoe_charts import QOE_CHARTS, qoe_chart
from scripts.charts.setting_dots import setting_dots
from scripts.charts.slowdown_beside import slowdown_beside
from scripts.charts.slowdown_by_rtt import slowdown_by_rtt
from scripts.charts.slowdown_by_size import slowdown_by_size
from scripts.charts.sweep_curves import sweep_charts
from scripts.charts.sweep_groups import shown_together, sweep_groups
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


def cycle_charts(tables: Path, campaign: Campaign) -> Iterator[CycleChart]:
    """Every chart of a cycle except those of single trials, in a fixed order.

    The settings of a large sweep have no charts of their own (scripts/charts/sweep_groups.py).

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.

    Raises:
        UserError: a table is missing or wrong.
    """
    trials = read_rows(tables, "trial_services", ServiceRow)
    pairs = read_rows(tables, "pairs", PairRow)
    labels = make_labels(campaign.services, campaign)
    together = shown_together(campaign.settings)
    yield from (
        chart for chart in _charts(tables, campaign, trials, pairs, labels) if chart.setting not in together
    )


def _charts(
    tables: Path, campaign: Campaign, trials: list[ServiceRow], pairs: list[PairRow], labels: Labels
) -> Iterator[CycleChart]:
    yield from _pair_charts(trials, pairs, labels)
    yield from _solo_charts(trials, read_rows(tables, "solo", SoloRow), labels)
    for sweep in sweep_groups(campaign.settings):
        for name, chart in sweep_charts(pairs, sweep, labels):
            yield CycleChart(name, None, partial(_as_it_is, chart))
    yield from _fmp_charts(tables, campaign, labels)
    yield from _qoe_charts(tables, trials, pairs, labels)
    if any(service.generator for service in campaign.services.values()):
        yield from _completion_charts(tables, campaign, labels)
    yield from _order_charts(tables, campaign, labels)
    yield from _model_charts(tables, campaign, labels)
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
            for kind, look in HARMS.items():
                draw = partial(heatmap, pairs, setting, kind, labels)
                if any(look.value(row) is not None for row in cells_of(pairs, setting)):
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


def _completion_charts(tables: Path, campaign: Campaign, labels: Labels) -> Iterator[CycleChart]:
    """How long generated flows took: over all settings, and by setting."""
    rows = read_rows(tables, "completions", CompletionRow)
    yield CycleChart("slowdown-beside", None, partial(slowdown_beside, rows, campaign, labels))
    yield CycleChart("slowdown-by-rtt", None, partial(slowdown_by_rtt, rows, campaign, labels))
    for setting in sorted({row.setting for row in rows}):
        flows = partial(read_flows, tables, setting)
        by_size = partial(slowdown_by_size, rows, flows, setting, campaign, labels)
        yield CycleChart(f"slowdown-by-size-{setting}", setting, by_size)
        boxes = partial(completion_boxes, rows, flows, setting, campaign, labels)
        yield CycleChart(f"completion-{setting}", setting, boxes)


def _fmp_charts(tables: Path, campaign: Campaign, labels: Labels) -> Iterator[CycleChart]:
    """K of every pair over the settings of a sweep. Cycles from before there was the table have none."""
    if not (tables / "fmp.parquet").is_file():
        return
    rows = read_rows(tables, "fmp", FmpRow)
    settings = read_rows(tables, "fmp_settings", SettingK)
    draws = read_rows(tables, "fmp_accuracy", AccuracyRow)
    for sweep in fmp_sweeps(campaign.settings):
        for pair in [row.pair for row in fmp_pairs(rows, sweep)]:
            of_pair = [row for row in rows if (row.sweep, row.pair) == (sweep.name, pair)]
            ks = [row for row in settings if (row.sweep, row.pair) == (sweep.name, pair)]
            drawn = [row for row in draws if (row.sweep, row.pair) == (sweep.name, pair)]
            for key in sweep.varied:
                draw = partial(k_by_key, ks, of_pair, sweep, key, labels)
                yield CycleChart(k_chart(key, sweep.name, pair), None, draw)
            if drawn:
                draw = partial(fmp_accuracy, drawn, sweep, labels)
                yield CycleChart(accuracy_chart(sweep.name, pair), None, draw)


def _order_charts(tables: Path, campaign: Campaign, labels: Labels) -> Iterator[CycleChart]:
    """The fness of every pair, where one client starts after the other. A chart may show two settings."""
    groups = order_groups(campaign.settings)
    if not groups:
        return
    rows, trials = read_rows(tables, "orders", OrderRow), read_rows(tables, "trial_fairness", FnessRow)
    for group in groups:
        setting = group.name if len(group.settings) == 1 else None
        yield CycleChart(group.chart, setting, partial(fness_boxes, rows, trials, group, labels))


def _model_charts(tables: Path, campaign: Campaign, labels: Labels) -> Iterator[CycleChart]:
    """What models and pairs predict. Cycles from before there were these tables lack them."""
    if (tables / "models.parquet").is_file():
        models = read_rows(tables, "models", ModelRow)
        for sweep in sweep_groups(campaign.settings):
            name = f"bbr-model-{sweep.name}"
            yield CycleChart(name, None, partial(bbr_model, models, sweep, campaign, labels))
        for setting in sorted({row.setting for row in models}):
            draw = partial(model_ratios, models, setting, labels)
            yield CycleChart(f"models-{setting}", setting, draw)
    if (tables / "predictions.parquet").is_file():
        predictions = read_rows(tables, "predictions", MetricRow)
        for setting in sorted({row.setting for row in predictions}):
            draw = partial(prediction_chart, predictions, setting, labels)
            yield CycleChart(f"predictions-{setting}", setting, draw)
