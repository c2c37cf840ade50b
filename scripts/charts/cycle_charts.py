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
from scripts.charts.cycle_rows import At, CycleTables, Scope, matrices, pairs_of_two, settings_with
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.fmp_accuracy import AccuracyRow, fmp_accuracy
from scripts.charts.fmp_rows import FmpRow, SettingK, fmp_pairs, fmp_sweeps, key_name
from scripts.charts.fness_boxes import fness_boxes
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS
from scripts.charts.k_by_key import k_by_key
from scripts.charts.metric_rows import MetricRow, ModelRow
from scripts.charts.model_ratios import model_ratios
from scripts.charts.multiple_flows import multiple_flows_chart
from scripts.charts.order_groups import order_groups
from scripts.charts.order_rows import FnessRow, OrderRow
from scripts.charts.predictions import prediction_chart
from scripts.charts.qoe_charts import KINDS, QOE_CHARTS, qoe_chart
from scripts.charts.setting_dots import setting_dots
from scripts.charts.slowdown_beside import slowdown_beside
from scripts.charts.slowdown_by_rtt import slowdown_by_rtt
from scripts.charts.slowdown_by_size import slowdown_by_size
from scripts.charts.sweep_curves import sweep_charts
from scripts.charts.sweep_groups import shown_together, sweep_groups
from scripts.charts.table_rows import (
    ChangeRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    SoloRow,
    WorkloadRow,
    cells_of,
)
from scripts.charts.theme import Figure
from scripts.model.campaign import Campaign


@dataclass(frozen=True)
class Chart:
    """A kind of chart.

    Attributes:
        name: the first part of the names of its files.
        tables: the tables that it reads.
        each: what there is one chart for.
        draw: makes the chart for one of these; None if it would show nothing.
        shows: what it shows, as a claim that a reader can rebuild; empty: the chart is part of another claim.
        several: whether its values or axes need trials of several settings.
    """

    name: str
    tables: tuple[str, ...]
    each: Scope
    draw: Callable[[CycleTables, At], Figure | None]
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


def _heatmap(kind: str) -> Callable[[CycleTables, At], Figure | None]:
    return lambda cycle, at: heatmap(cycle.pairs, str(at.setting), kind, cycle.labels)


def _with_harm(kind: str) -> Scope:
    """Each setting of which any cell has this harm: services were also measured alone."""

    def found(cycle: CycleTables) -> Iterator[At]:
        for at in matrices(cycle):
            rows = cells_of(cycle.pairs, str(at.setting))
            if any(HARMS[kind].value(row) is not None for row in rows):
                yield at

    return found


def _solos(cycle: CycleTables) -> Iterator[At]:
    alone = sorted((row.setting, row.service) for row in cycle.rows("solo", SoloRow))
    return (At(f"{setting}-{service}", setting, (service,)) for setting, service in alone)


def _sweeps(cycle: CycleTables) -> Iterator[At]:
    return (At(sweep.name, None, (sweep,)) for sweep in sweep_groups(cycle.campaign.settings))


def _sweep_pairs(cycle: CycleTables) -> Iterator[At]:
    for sweep in sweep_groups(cycle.campaign.settings):
        for name, chart in sweep_charts(cycle.pairs, sweep, cycle.labels):
            yield At(name.removeprefix("sweep-"), None, (chart,))


def _fmp_pairs(cycle: CycleTables) -> Iterator[At]:
    for sweep in fmp_sweeps(cycle.campaign.settings):
        for row in fmp_pairs(cycle.rows("fmp", FmpRow), sweep):
            yield At(f"{sweep.name}-{row.pair}", None, (sweep, row.pair))


def _fmp_keys(cycle: CycleTables) -> Iterator[At]:
    for at in _fmp_pairs(cycle):
        sweep, pair = at.shown
        for key in sweep.varied:
            yield At(f"{key_name(key)}-{at.name}", None, (sweep, pair, key))


def _orders(cycle: CycleTables) -> Iterator[At]:
    """Each group of settings in which one client starts after the other."""
    for group in order_groups(cycle.campaign.settings):
        yield At(group.name, group.name if len(group.settings) == 1 else None, (group,))


def _generated(cycle: CycleTables) -> Iterator[At]:
    if any(service.generator for service in cycle.campaign.services.values()):
        yield At("")


def _generated_settings(cycle: CycleTables) -> Iterator[At]:
    for _ in _generated(cycle):
        yield from settings_with(("completions", CompletionRow))(cycle)


def _dots_of_setting(cycle: CycleTables, at: At) -> Figure | None:
    return setting_dots(cycle.pairs, str(at.setting), cycle.labels)


def _dots_of_pair(cycle: CycleTables, at: At) -> Figure | None:
    (pair,) = at.shown
    return pair_dots(cycle.trials, cycle.pairs, str(at.setting), cycle.labels, pair)


def _dots_of_solo(cycle: CycleTables, at: At) -> Figure | None:
    (service,), rows = at.shown, cycle.rows("solo", SoloRow)
    return solo_dots(cycle.trials, rows, str(at.setting), service, cycle.labels)


def _flows(cycle: CycleTables, at: At) -> Figure | None:
    workloads = cycle.rows("workloads", WorkloadRow)
    return multiple_flows_chart(cycle.pairs, workloads, str(at.setting), cycle.labels)


def _quality(kind: str) -> Callable[[CycleTables, At], Figure | None]:
    def draw(cycle: CycleTables, at: At) -> Figure | None:
        rows, loads = cycle.rows("qoe_pairs", QoePairRow), cycle.rows("qoe_web", PageLoadRow)
        return qoe_chart(rows, cycle.trials, loads, str(at.setting), kind, cycle.labels)

    return draw


def _slowdown_beside(cycle: CycleTables, _at: At) -> Figure | None:
    return slowdown_beside(cycle.rows("completions", CompletionRow), cycle.campaign, cycle.labels)


def _slowdown_by_rtt(cycle: CycleTables, _at: At) -> Figure | None:
    return slowdown_by_rtt(cycle.rows("completions", CompletionRow), cycle.campaign, cycle.labels)


def _slowdown_by_size(cycle: CycleTables, at: At) -> Figure | None:
    rows, flows = cycle.rows("completions", CompletionRow), partial(read_flows, cycle.folder, str(at.setting))
    return slowdown_by_size(rows, flows, str(at.setting), cycle.campaign, cycle.labels)


def _completion(cycle: CycleTables, at: At) -> Figure | None:
    rows, flows = cycle.rows("completions", CompletionRow), partial(read_flows, cycle.folder, str(at.setting))
    return completion_boxes(rows, flows, str(at.setting), cycle.campaign, cycle.labels)


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


def _fness(cycle: CycleTables, at: At) -> Figure | None:
    (group,), trials = at.shown, cycle.rows("trial_fairness", FnessRow)
    return fness_boxes(cycle.rows("orders", OrderRow), trials, group, cycle.labels)


def _bbr_model(cycle: CycleTables, at: At) -> Figure | None:
    (sweep,) = at.shown
    return bbr_model(cycle.rows("models", ModelRow), sweep, cycle.campaign, cycle.labels)


def _models(cycle: CycleTables, at: At) -> Figure | None:
    return model_ratios(cycle.rows("models", ModelRow), str(at.setting), cycle.labels)


def _predictions(cycle: CycleTables, at: At) -> Figure | None:
    return prediction_chart(cycle.rows("predictions", MetricRow), str(at.setting), cycle.labels)


def _changes(cycle: CycleTables, at: At) -> Figure | None:
    return changes_chart(cycle.rows("changes", ChangeRow), str(at.setting), cycle.labels)


MATRIX, DOTS = ("pairs",), ("trial_services", "pairs", "solo")
QUALITY, FLOWS = ("qoe_pairs", "trial_services", "qoe_web"), ("completions", "trial_completions")
OF_QUALITY = settings_with(("workloads", WorkloadRow), ("qoe_pairs", QoePairRow))


def _matrix(name: str, shows: str) -> Chart:
    """A heatmap of every matrix of services; one of harm only where any cell has it."""
    return Chart(name, MATRIX, _with_harm(name) if name in HARMS else matrices, _heatmap(name), shows)


CHARTS = (
    _matrix("share", "What part of its fair share each service gets against each other one"),
    _matrix("utilization", "How much of the link each pair uses"),
    _matrix("loss", "How many of its packets each service loses"),
    _matrix("delay", "How long its packets wait in the queue"),
    _matrix("harm-throughput", "How much of its throughput alone each service loses to each other one"),
    _matrix("harm-delay", "How much each service adds to the round-trip time of each other one"),
    _matrix("harm-loss", "How much each service adds to the loss rate of each other one"),
    Chart("dots", DOTS, settings_with(("pairs", PairRow)), _dots_of_setting),
    Chart("dots", DOTS, pairs_of_two, _dots_of_pair),
    Chart("dots", DOTS, _solos, _dots_of_solo),
    Chart("sweep", MATRIX, _sweep_pairs, lambda _cycle, at: at.shown[0], several=True),
    Chart("k-by", ("fmp", "fmp_settings"), _fmp_keys, _k_by_key, several=True),
    Chart("fmp-accuracy", ("fmp", "fmp_accuracy"), _fmp_pairs, _fmp_accuracy, several=True),
    Chart("flows", ("pairs", "workloads"), OF_QUALITY, _flows, "What services with several flows get"),
    *(
        Chart(name, QUALITY, OF_QUALITY, _quality(name), f"{KINDS[look.of]}: {look.worst}")
        for name, look in QOE_CHARTS.items()
    ),
    Chart(
        "slowdown-beside",
        FLOWS,
        _generated,
        _slowdown_beside,
        "How much longer short flows take beside a bulk flow",
        several=True,
    ),
    Chart(
        "slowdown-by-rtt",
        FLOWS,
        _generated,
        _slowdown_by_rtt,
        "How much longer two equal flows take if their RTTs differ",
        several=True,
    ),
    Chart(
        "slowdown-by-size",
        FLOWS,
        _generated_settings,
        _slowdown_by_size,
        "How much longer flows of each size take alone",
    ),
    Chart(
        "completion",
        FLOWS,
        _generated_settings,
        _completion,
        "How long a flow takes against a bulk flow",
        several=True,
    ),
    Chart(
        "fness",
        ("orders", "trial_fairness"),
        _orders,
        _fness,
        "Which of two services dominates, by which one starts first",
        several=True,
    ),
    Chart("bbr-model", ("models",), _sweeps, _bbr_model, several=True),
    Chart(
        "models",
        ("models",),
        settings_with(("models", ModelRow)),
        _models,
        "What Cubic and Reno get, beside the models of Mathis and Padhye",
    ),
    Chart(
        "predictions",
        ("predictions",),
        settings_with(("predictions", MetricRow)),
        _predictions,
        "What each of three and more services gets, beside what pairs predict",
    ),
    Chart(
        "changes",
        ("changes",),
        settings_with(("changes", ChangeRow)),
        _changes,
        "What changed since the cycle before",
        several=True,
    ),
)
"""Every kind of chart, in the order in which they are drawn."""


def cycle_charts(tables: Path, campaign: Campaign) -> Iterator[CycleChart]:
    """Every chart of a cycle except those of single trials, in a fixed order.

    The settings of a large sweep have no charts of their own (scripts/charts/sweep_groups.py).

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.

    Raises:
        UserError: a table is missing or wrong.
    """
    cycle, together = CycleTables(tables, campaign), shown_together(campaign.settings)
    for chart in CHARTS:
        for at in chart.each(cycle):
            if at.setting not in together:
                name = f"{chart.name}-{at.name}" if at.name else chart.name
                yield CycleChart(name, at.setting, partial(chart.draw, cycle, at))
