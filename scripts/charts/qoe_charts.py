"""Quality of experience of videos, calls and pages, by contender (Prudentia Figs. 5 and 6)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.strips import READING, Point, Strip, strips_chart
from scripts.charts.table_rows import PageLoadRow, QoePairRow, ServiceRow, scaled
from scripts.charts.theme import Datum
from scripts.model.pairs import contenders, pair_name

ALONE = "alone"


@dataclass(frozen=True)
class Metric:
    """How readers see one `metric` of the table qoe_pairs.

    Attributes:
        label: its name, with the unit shown.
        unit: the unit behind a number.
        decimals: decimals of a number.
        factor: the column is multiplied by it.
    """

    label: str
    unit: str
    decimals: int
    factor: float = 1


METRICS = {
    "video_bitrate_kbps": Metric("Bitrate (Mbps)", "Mbps", 2, 0.001),
    "video_stalled_s": Metric("Stall time (s)", "s", 1),
    "video_startup_s": Metric("Time until it starts (s)", "s", 1),
    "rtc_height": Metric("Resolution (lines)", "lines", 0),
    "rtc_frames_per_s": Metric("Frames per second", "per s", 1),
    "rtc_freezes_per_minute": Metric("Freezes per minute", "per min", 1),
    "rtc_high_delay_fraction": Metric("Packets over 190 ms (percent)", "%", 1, 100),
    "web_visually_complete_s": Metric("Time to 95 % of the page (s)", "s", 2),
    "web_speed_index_s": Metric("SpeedIndex (s)", "s", 2),
}


@dataclass(frozen=True)
class QoeChart:
    """One kind of chart: its title, and a panel for each of its metrics."""

    title: str
    metrics: tuple[str, ...]


QOE_CHARTS = {
    "video": QoeChart("Quality of videos", ("video_bitrate_kbps", "video_stalled_s", "video_startup_s")),
    "rtc": QoeChart(
        "Quality of calls",
        ("rtc_height", "rtc_frames_per_s", "rtc_freezes_per_minute", "rtc_high_delay_fraction"),
    ),
    "web": QoeChart("How long a page takes", ("web_visually_complete_s",)),
}


@dataclass(frozen=True)
class MetricPoint(Point):
    """The median of `metric`, a key of METRICS."""

    metric: str


def qoe_chart(
    qoe_pairs: Iterable[QoePairRow],
    trials: Iterable[ServiceRow],
    loads: Iterable[PageLoadRow],
    setting: str,
    kind: str,
    labels: Labels,
) -> alt.HConcatChart | None:
    """A row for each contender and one for `alone`, a panel for each metric. A self-pair has two rows.

    A time that had not ended when the trial stopped waiting is a lower bound. An arrow stands for it.

    Args:
        qoe_pairs: the table `qoe_pairs`.
        trials: the table `trial_services`, which tells the instances of self-pairs.
        loads: the table `qoe_web`. The chart of pages shows the loads of valid trials as dots, without those
            of further clients of the same service.
        setting: the setting to show.
        kind: a key of QOE_CHARTS.
        labels: titles and colours of the services.

    Returns:
        The chart, or None if no such service has a valid trial.
    """
    look = QOE_CHARTS[kind]
    rows = [row for row in qoe_pairs if row.setting == setting and row.metric in look.metrics]
    points = [point for row in rows if (point := _point(row, labels)) is not None]
    if not points:
        return None
    names = {point.row for point in points}
    order = [name for name in [ALONE] if name in names] + sorted(names - {ALONE})
    instances = {(row.key, row.client): row.instance for row in trials if row.instance != "further"}
    dots = [
        _dot(load, instance, labels)
        for load in loads
        if kind == "web" and load.setting == setting and load.valid
        if (instance := instances.get((load.key, load.client))) is not None
    ]
    strips = [
        Strip(
            METRICS[metric].label,
            [point for point in points if point.metric == metric],
            dots,
            [arrow for row in rows if row.metric == metric and (arrow := _arrow(row, labels)) is not None],
        )
        for metric in look.metrics
    ]
    services = sorted({row.service for row in rows if row.median is not None})
    words = "; ".join(point.label for point in points)
    return strips_chart(strips, order, services, labels).properties(
        title=alt.Title(
            look.title,
            subtitle=[f"{labels.setting(setting)}, alone and against each contender", *_readings(strips)],
        ),
        description=f"{look.title}. {labels.setting(setting)}. {words}.",
    )


def _readings(strips: list[Strip]) -> list[str]:
    """The meaning of the marks that the chart has."""
    readings = [READING]
    if any(strip.dots for strip in strips):
        readings.append("Small marks: the loads of all valid trials; a trial counts once, by their median")
    if any(strip.arrows or any(dot["censored"] for dot in strip.dots) for strip in strips):
        readings.append("Arrow: at least so long, because it had not ended when the trial stopped waiting")
    return readings


def page_of(row: QoePairRow) -> str:
    """The address of the page of the row's pair or solo."""
    if not row.contender:
        return f"solos/{row.setting}/{row.service}/"
    return f"pairs/{row.setting}/{pair_of(row)}/"


def pair_of(row: QoePairRow) -> str:
    """The name of the row's pair or solo."""
    return pair_name([row.service, *contenders(row.contender)])


def _point(row: QoePairRow, labels: Labels) -> MetricPoint | None:
    """The point of a row, in the unit of its metric; None without a valid trial."""
    if row.median is None:
        return None
    metric, service = METRICS[row.metric], labels.service(row.service)
    opponent = _row(row.contender, row.instance, labels)
    value = metric.factor * row.median
    return MetricPoint(
        row=opponent,
        service=service,
        value=value,
        q1=scaled(row.q1, metric.factor),
        q3=scaled(row.q3, metric.factor),
        low=scaled(row.low, metric.factor),
        high=scaled(row.high, metric.factor),
        label=f"{service} {'against ' if row.contender else ''}{opponent}, {metric.label}: {_words(row)}",
        href=f"../{page_of(row)}",
        metric=row.metric,
    )


def _row(contender: str, instance: str, labels: Labels) -> str:
    """The name of a row: the contender, and in a self-pair the instance."""
    return f"{labels.contender(contender)}{of_instance(instance)}" if contender else ALONE


def _words(row: QoePairRow) -> str:
    """A row's median and its number of trials: `3.20, n = 6`, or `≥ 45.00, n = 6, 4 of them not ended`."""
    metric = METRICS[row.metric]
    bound = "≥ " if row.at_least is not None and (row.median or 0) >= row.at_least else ""
    ended = f", {row.censored} of them not ended" if row.censored else ""
    return f"{bound}{metric.factor * (row.median or 0):.{metric.decimals}f}, n = {row.n}{ended}"


def _arrow(row: QoePairRow, labels: Labels) -> Datum | None:
    """The largest figure of a row, if it is a lower bound."""
    largest = max((figure for figure in (row.median, row.q3, row.high) if figure is not None), default=0)
    if row.at_least is None or largest < row.at_least:
        return None
    metric = METRICS[row.metric]
    return {
        "row": _row(row.contender, row.instance, labels),
        "service": labels.service(row.service),
        "value": metric.factor * largest,
        "text": f"≥ {metric.factor * largest:g} {metric.unit}",
    }


def _dot(load: PageLoadRow, instance: str, labels: Labels) -> Datum:
    return {
        "row": _row(load.contender, instance, labels),
        "service": labels.service(load.service),
        "value": load.visually_complete_s,
        "censored": load.censored,
    }
