"""The charts that need more than one trial: one entry each.

An entry has the name of the chart, the tables that it reads, what there is one chart for, the function that
draws it, and a sentence that says what it shows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.charts.bbr_model import bbr_model
from scripts.charts.changes import changes_chart
from scripts.charts.completion_boxes import completion_boxes
from scripts.charts.completion_rows import CompletionRow, read_flows
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.fmp_charts import AccuracyRow, FmpRow, SettingK, fmp_accuracy, k_by_key
from scripts.charts.fness_boxes import fness_boxes
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS
from scripts.charts.model_charts import MetricRow, ModelRow, model_ratios, prediction_chart
from scripts.charts.over_time import over_time
from scripts.charts.qoe_charts import KINDS, QOE_CHARTS, qoe_chart
from scripts.charts.scopes import (
    At,
    Scope,
    fmp_keys,
    fmp_pairs_of,
    generated,
    generated_settings,
    matrices,
    orders,
    pairs_of_two,
    pairs_over_time,
    settings_with,
    solos,
    sweep_pairs,
    sweeps,
    with_harm,
)
from scripts.charts.setting_dots import setting_dots
from scripts.charts.setting_groups import shown_together
from scripts.charts.slowdown_beside import slowdown_beside
from scripts.charts.slowdown_lines import slowdown_by_rtt, slowdown_by_size
from scripts.charts.strips import multiple_flows_chart
from scripts.charts.table_files import CycleTables
from scripts.charts.table_rows import (
    ChangeRow,
    FnessRow,
    OrderRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    SoloRow,
    WorkloadRow,
)
from scripts.charts.theme import Figure
from scripts.model.campaign import Campaign

Draw = Callable[[CycleTables, At], Figure | None]
"""Makes a chart; None if it would show nothing."""


@dataclass(frozen=True)
class Chart:
    """A kind of chart.

    Attributes:
        name: the first part of the names of its files.
        tables: the tables that it reads.
        each: what there is one chart for.
        draw: makes the chart for one of these.
        shows: what it shows, as a claim that a reader can rebuild; empty: the chart is part of another claim.
        several: whether its values or axes need trials of several settings.
    """

    name: str
    tables: tuple[str, ...]
    each: Scope
    draw: Draw
    shows: str = ""
    several: bool = False


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


def _of_flows(draw: Callable[..., Figure | None]) -> Draw:
    """A chart of the completion times in a setting, and of the single flows there."""
    return lambda cycle, at: draw(
        cycle.rows(*COMPLETIONS),
        partial(read_flows, cycle.folder, at.setting),
        at.setting,
        cycle.campaign,
        cycle.labels,
    )


def _quality(kind: str) -> Draw:
    def draw(cycle: CycleTables, at: At) -> Figure | None:
        loads = cycle.rows("qoe_web", PageLoadRow)
        return qoe_chart(cycle.rows(*QOE), cycle.trials, loads, at.setting, kind, cycle.labels)

    return draw


def _k_by_key(cycle: CycleTables, at: At) -> Figure | None:
    sweep, pair, key = at.shown
    of_pair = [row for row in cycle.rows("fmp", FmpRow) if (row.sweep, row.pair) == (sweep.name, pair)]
    ks = [row for row in cycle.rows("fmp_settings", SettingK) if (row.sweep, row.pair) == (sweep.name, pair)]
    return k_by_key(ks, of_pair, sweep, key, cycle.labels)


def _fmp_accuracy(cycle: CycleTables, at: At) -> Figure | None:
    sweep, pair = at.shown
    rows = cycle.rows("fmp_accuracy", AccuracyRow)
    drawn = [row for row in rows if (row.sweep, row.pair) == (sweep.name, pair)]
    return fmp_accuracy(drawn, sweep, cycle.labels) if drawn else None


CHANGES, COMPLETIONS, MODELS = ("changes", ChangeRow), ("completions", CompletionRow), ("models", ModelRow)
PREDICTIONS, QOE = ("predictions", MetricRow), ("qoe_pairs", QoePairRow)
WORKLOADS = ("workloads", WorkloadRow)

MATRIX, DOTS = ("pairs",), ("trial_services", "pairs", "solo")
QUALITY, FLOWS = ("qoe_pairs", "trial_services", "qoe_web"), ("completions", "trial_completions")
OF_QUALITY = settings_with(WORKLOADS, QOE)


def _matrix(name: str, shows: str) -> Chart:
    """A heatmap of every matrix of services; one of harm only where any cell has it."""
    each = with_harm(name) if name in HARMS else matrices
    return Chart(
        name, MATRIX, each, lambda cycle, at: heatmap(cycle.pairs, at.setting, name, cycle.labels), shows
    )


CHARTS = (
    _matrix("share", "What part of its fair share each service gets against each other one"),
    _matrix("utilization", "How much of the link each pair uses"),
    _matrix("loss", "How many of its packets each service loses"),
    _matrix("delay", "How long its packets wait in the queue"),
    _matrix("harm-throughput", "How much of its throughput alone each service loses to each other one"),
    _matrix("harm-delay", "How much each service adds to the round-trip time of each other one"),
    _matrix("harm-loss", "How much each service adds to the loss rate of each other one"),
    Chart(
        "dots",
        DOTS,
        settings_with(("pairs", PairRow)),
        lambda cycle, at: setting_dots(cycle.pairs, at.setting, cycle.labels),
    ),
    Chart(
        "dots",
        DOTS,
        pairs_of_two,
        lambda cycle, at: pair_dots(cycle.trials, cycle.pairs, at.setting, cycle.labels, at.shown[0]),
    ),
    Chart(
        "dots",
        DOTS,
        solos,
        lambda cycle, at: solo_dots(
            cycle.trials, cycle.rows("solo", SoloRow), at.setting, at.shown[0], cycle.labels
        ),
    ),
    Chart(
        "over-time",
        ("share_over_time",),
        pairs_over_time,
        lambda cycle, at: over_time(at.shown[0], cycle.labels),
    ),
    Chart("sweep", MATRIX, sweep_pairs, lambda _cycle, at: at.shown[0], several=True),
    Chart("k-by", ("fmp", "fmp_settings"), fmp_keys, _k_by_key, several=True),
    Chart("fmp-accuracy", ("fmp", "fmp_accuracy"), fmp_pairs_of, _fmp_accuracy, several=True),
    Chart(
        "flows",
        ("pairs", "workloads"),
        OF_QUALITY,
        lambda cycle, at: multiple_flows_chart(cycle.pairs, cycle.rows(*WORKLOADS), at.setting, cycle.labels),
        "What services with several flows get",
    ),
    *(
        Chart(name, QUALITY, OF_QUALITY, _quality(name), f"{KINDS[look.of]}: {look.worst}")
        for name, look in QOE_CHARTS.items()
    ),
    Chart(
        "slowdown-beside",
        FLOWS,
        generated,
        lambda cycle, _at: slowdown_beside(cycle.rows(*COMPLETIONS), cycle.campaign, cycle.labels),
        "How much longer short flows take beside a bulk flow",
        several=True,
    ),
    Chart(
        "slowdown-by-rtt",
        FLOWS,
        generated,
        lambda cycle, _at: slowdown_by_rtt(cycle.rows(*COMPLETIONS), cycle.campaign, cycle.labels),
        "How much longer two equal flows take if their RTTs differ",
        several=True,
    ),
    Chart(
        "slowdown-by-size",
        FLOWS,
        generated_settings,
        _of_flows(slowdown_by_size),
        "How much longer flows of each size take alone",
    ),
    Chart(
        "completion",
        FLOWS,
        generated_settings,
        _of_flows(completion_boxes),
        "How long a flow takes against a bulk flow",
        several=True,
    ),
    Chart(
        "fness",
        ("orders", "trial_fairness"),
        orders,
        lambda cycle, at: fness_boxes(
            cycle.rows("orders", OrderRow), cycle.rows("trial_fairness", FnessRow), at.shown[0], cycle.labels
        ),
        "Which of two services dominates, by which one starts first",
        several=True,
    ),
    Chart(
        "bbr-model",
        ("models",),
        sweeps,
        lambda cycle, at: bbr_model(cycle.rows(*MODELS), at.shown[0], cycle.campaign, cycle.labels),
        several=True,
    ),
    Chart(
        "models",
        ("models",),
        settings_with(MODELS),
        lambda cycle, at: model_ratios(cycle.rows(*MODELS), at.setting, cycle.labels),
        "What Reno gets, beside the models of Mathis and Padhye",
    ),
    Chart(
        "predictions",
        ("predictions",),
        settings_with(PREDICTIONS),
        lambda cycle, at: prediction_chart(cycle.rows(*PREDICTIONS), at.setting, cycle.labels),
        "What each of three and more services gets, beside what pairs predict",
    ),
    Chart(
        "changes",
        ("changes",),
        settings_with(CHANGES),
        lambda cycle, at: changes_chart(cycle.rows(*CHANGES), at.setting, cycle.labels),
        "What changed since the cycle before",
        several=True,
    ),
)
"""Every kind of chart, in the order in which they are drawn."""


def cycle_charts(tables: Path, campaign: Campaign) -> Iterator[CycleChart]:
    """Every chart of a cycle except those of single trials, in a fixed order.

    The settings of a large sweep have no charts of their own (scripts/charts/setting_groups.py).

    Raises:
        UserError: a table is missing or wrong.
    """
    cycle, together = CycleTables(tables, campaign), shown_together(campaign.settings)
    for chart in CHARTS:
        for at in chart.each(cycle):
            if at.setting not in together:
                name = f"{chart.name}-{at.name}" if at.name else chart.name
                yield CycleChart(name, at.setting or None, partial(chart.draw, cycle, at))
