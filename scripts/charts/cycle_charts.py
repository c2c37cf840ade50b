"""The charts that need more than one trial: one entry each.

An entry has the name of the chart, the tables that it reads, what there is one chart for, the function that
draws it, and a sentence that says what it shows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.charts import scopes
from scripts.charts.bbr_model import bbr_model
from scripts.charts.changes import changes_chart
from scripts.charts.completion_boxes import completion_boxes
from scripts.charts.completion_rows import CompletionRow
from scripts.charts.dots import pair_dots, setting_dots, solo_dots
from scripts.charts.fmp_charts import fmp_accuracy, k_by_key
from scripts.charts.fness_boxes import fness_boxes
from scripts.charts.heatmap import heatmap
from scripts.charts.model_charts import ModelRow, model_ratios, prediction_chart
from scripts.charts.over_time import over_time
from scripts.charts.qoe_charts import KINDS, QOE_CHARTS, qoe_chart
from scripts.charts.scopes import At, Scope, Table
from scripts.charts.setting_groups import shown_together
from scripts.charts.slowdown_beside import slowdown_beside
from scripts.charts.slowdown_lines import slowdown_by_rtt, slowdown_by_size
from scripts.charts.strips import multiple_flows_chart
from scripts.charts.sweep_curves import sweep_chart
from scripts.charts.table_files import CycleTables
from scripts.charts.table_rows import (
    ChangeRow,
    FnessRow,
    MetricRow,
    OrderRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    ServiceRow,
    SoloRow,
    WorkloadRow,
)
from scripts.charts.theme import AnyChart
from scripts.model.campaign import Campaign


@dataclass(frozen=True)
class Chart:
    """A kind of chart.

    Attributes:
        name: the first part of the names of its files.
        tables: the tables whose rows the function gets, with the class of the rows.
        each: the scope; there is one chart for each of its members.
        draw: makes the chart of a member from rows, the member and labels; None: nothing to show.
        shows: what it shows, as a claim that a reader can rebuild; empty: the chart is part of another claim.
        several: whether its values or axes need trials of several settings.
        brought: the tables whose rows the scope itself delivers.
    """

    name: str
    tables: tuple[Table, ...]
    each: Scope
    draw: Callable[..., AnyChart | None]
    shows: str = ""
    several: bool = False
    brought: tuple[str, ...] = ()

    @property
    def read(self) -> tuple[str, ...]:
        """The names of all tables that it is drawn from."""
        return (*(name for name, _ in self.tables), *self.brought)

    def drawn(self, cycle: CycleTables, at: At) -> AnyChart | None:
        """The chart of a member of the scope."""
        rows = (cycle.rows(*table) for table in self.tables)
        return self.draw(*rows, *at.shown, cycle.labels)


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
    draw: Callable[[], AnyChart | None]


PAIRS, TRIALS, SOLO = ("pairs", PairRow), ("trial_services", ServiceRow), ("solo", SoloRow)
WORKLOADS, CHANGES = ("workloads", WorkloadRow), ("changes", ChangeRow)
COMPLETIONS, FLOWS = ("completions", CompletionRow), ("trial_completions",)
QOE, LOADS = ("qoe_pairs", QoePairRow), ("qoe_web", PageLoadRow)
MODELS, PREDICTIONS = ("models", ModelRow), ("predictions", MetricRow)
ORDERS, FAIRNESS = ("orders", OrderRow), ("trial_fairness", FnessRow)


def _matrix(kind: str, shows: str) -> Chart:
    return Chart(kind, (PAIRS,), scopes.matrices(kind), heatmap, shows)


CHARTS = (
    _matrix("share", "What part of its fair share each service gets against each other one"),
    _matrix("utilization", "How much of the link each pair uses"),
    _matrix("loss", "How many of its packets each service loses"),
    _matrix("delay", "How long its packets wait in the queue"),
    _matrix("harm-throughput", "How much of its throughput alone each service loses to each other one"),
    _matrix("harm-delay", "How much each service adds to the round-trip time of each other one"),
    _matrix("harm-loss", "How much each service adds to the loss rate of each other one"),
    Chart("dots", (PAIRS,), scopes.settings_with(PAIRS), setting_dots),
    Chart("dots", (TRIALS, PAIRS), scopes.pairs_of_two, pair_dots),
    Chart("dots", (TRIALS, SOLO), scopes.solos, solo_dots),
    Chart("over-time", (), scopes.pairs_over_time, over_time, brought=("share_over_time",)),
    Chart("sweep", (), scopes.sweep_pairs, sweep_chart, several=True, brought=("pairs",)),
    Chart("k-by", (), scopes.fmp_keys, k_by_key, several=True, brought=("fmp", "fmp_settings")),
    Chart("fmp-accuracy", (), scopes.fmp_draws, fmp_accuracy, several=True, brought=("fmp", "fmp_accuracy")),
    Chart(
        "flows",
        (PAIRS, WORKLOADS),
        scopes.settings_with(WORKLOADS, QOE),
        multiple_flows_chart,
        "What services with several flows get",
    ),
    *(
        Chart(
            name,
            (QOE, TRIALS, LOADS),
            scopes.settings_with(WORKLOADS, QOE, also=(name,)),
            qoe_chart,
            f"{KINDS[look.of]}: {look.worst}",
        )
        for name, look in QOE_CHARTS.items()
    ),
    Chart(
        "slowdown-beside",
        (COMPLETIONS,),
        scopes.generated,
        slowdown_beside,
        "How much longer short flows take beside a bulk flow",
        several=True,
    ),
    Chart(
        "slowdown-by-rtt",
        (COMPLETIONS,),
        scopes.generated,
        slowdown_by_rtt,
        "How much longer two equal flows take if their RTTs differ",
        several=True,
    ),
    Chart(
        "slowdown-by-size",
        (COMPLETIONS,),
        scopes.generated_settings,
        slowdown_by_size,
        "How much longer flows of each size take alone",
        brought=FLOWS,
    ),
    Chart(
        "completion",
        (COMPLETIONS,),
        scopes.generated_settings,
        completion_boxes,
        "How long a flow takes against a bulk flow",
        several=True,
        brought=FLOWS,
    ),
    Chart(
        "fness",
        (ORDERS, FAIRNESS),
        scopes.orders,
        fness_boxes,
        "Which of two services dominates, by which one starts first",
        several=True,
    ),
    Chart("bbr-model", (MODELS,), scopes.sweeps, bbr_model, several=True),
    Chart(
        "models",
        (MODELS,),
        scopes.settings_with(MODELS),
        model_ratios,
        "What Reno gets, beside the models of Mathis and Padhye",
    ),
    Chart(
        "predictions",
        (PREDICTIONS,),
        scopes.settings_with(PREDICTIONS),
        prediction_chart,
        "What each of three and more services gets, beside what pairs predict",
    ),
    Chart(
        "changes",
        (CHANGES,),
        scopes.settings_with(CHANGES),
        changes_chart,
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
                yield CycleChart(name, at.setting or None, partial(chart.drawn, cycle, at))
