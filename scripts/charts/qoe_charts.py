"""Quality of experience of videos, calls and pages, by contender (Prudentia Figs. 5 and 6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import altair as alt

from scripts.charts.chart_labels import INSTANCES, Labels, of_instance, seen_unless
from scripts.charts.strips import READING, Strips, strips_chart
from scripts.charts.table_rows import PageLoadRow, QoePairRow, ServiceRow, grouped, scaled
from scripts.charts.theme import Datum
from scripts.figures.catalogue import CATALOGUE


@dataclass(frozen=True)
class QoeChart:
    """One chart: its metric, the words for the worst figure, and whether that is the lowest one."""

    metric: str
    worst: str
    lowest: bool = False

    @property
    def of(self) -> str:
        """The kind of service."""
        return self.metric.partition("_")[0]


QOE_CHARTS = {
    "video-bitrate": QoeChart("video_bitrate_kbps", "lowest median bitrate", lowest=True),
    "video-stalls": QoeChart("video_stalled_s", "longest median stall time"),
    "video-startup": QoeChart("video_startup_s", "longest median time until it starts"),
    "rtc-resolution": QoeChart("rtc_height", "lowest median resolution", lowest=True),
    "rtc-frames": QoeChart("rtc_frames_per_s", "lowest median of frames per second", lowest=True),
    "rtc-freezes": QoeChart("rtc_freezes_per_minute", "highest median of freezes per minute"),
    "rtc-delay": QoeChart("rtc_high_delay_fraction", "highest median of packets over 190 ms"),
    "web-load": QoeChart("web_visually_complete_s", "longest median load"),
}
"""The charts by the first part of their names, which begins with the kind of service."""

KINDS = {
    "video": "How videos play against each contender",
    "rtc": "How calls go against each contender",
    "web": "How long pages load against each contender",
}
"""What the charts of each kind of service show."""


def qoe_chart(
    qoe_pairs: Iterable[QoePairRow],
    trials: Iterable[ServiceRow],
    loads: Iterable[PageLoadRow],
    setting: str,
    kind: str,
    labels: Labels,
) -> alt.LayerChart | None:
    """A row for each contender and one for `alone`, in it a point for each service. A self-pair has two rows.

    A time that had not ended when the trial stopped waiting is a lower bound. An arrow stands for it.
    The axes of a metric are equal in all settings.

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
    every = [row for row in qoe_pairs if row.metric == look.metric and row.median is not None]
    rows = [row for row in every if row.setting == setting]
    if not rows:
        return None
    valid = [load for load in loads if look.metric == "web_visually_complete_s" and load.valid]
    services = sorted({row.service for row in rows}, key=labels.service)
    strips = Strips(
        axis=CATALOGUE[look.metric].label,
        rows=_row_names(rows, labels),
        colours={labels.service(service): labels.colours[service] for service in services},
        points=[_point(row, labels) for row in rows],
        end=_end(every, valid),
        dots=_load_dots(valid, trials, setting, labels),
        arrows=[arrow for row in rows if (arrow := _arrow(row, labels)) is not None],
    )
    title = _title(rows, look, labels)
    reading = [f"{labels.setting(setting)}, alone and against each contender", *_readings(strips)]
    return strips_chart(strips, title, reading, f"{title}. {labels.setting(setting)}. {strips.words}.")


def _row_names(rows: list[QoePairRow], labels: Labels) -> list[str]:
    """Alone, then the contenders by title; of a self-pair, the worse-off instance comes first."""
    instances = ["first", *INSTANCES]
    in_order = sorted(rows, key=lambda row: (labels.contender(row.contender), instances.index(row.instance)))
    return list(dict.fromkeys(_row_name(row.contender, row.instance, labels) for row in in_order))


def _end(rows: list[QoePairRow], loads: list[PageLoadRow]) -> float:
    """The end of the axis: a little more than the largest figure."""
    figures = [figure or 0 for row in rows for figure in (row.median, row.q3, row.high)]
    factor = CATALOGUE[rows[0].metric].factor
    return 1.06 * max([factor * max(figures), *(load.visually_complete_s for load in loads)]) or 1


def _title(rows: list[QoePairRow], look: QoeChart, labels: Labels) -> str:
    """The worst median, with that of the same service alone."""
    worst = (min if look.lowest else max)(rows, key=lambda row: row.value)
    alone = next((row for row in rows if row.service == worst.service and not row.contender), worst)
    where = _row_name(worst.contender, worst.instance, labels)
    opponent = f"against {where}" if worst.contender else where
    beside = f" ({_value(alone)} alone)" if alone is not worst else ""
    words = f"{look.worst} {_value(worst)}, {labels.service(worst.service)} {opponent}{beside}"
    named = [worst, alone]
    if len({row.median for row in rows}) == 1:
        words, named = f"{CATALOGUE[look.metric].name.lower()} {_value(worst)} in every row", rows
    return seen_unless(all(row.enough for row in named), words[0].upper() + words[1:])


def _readings(strips: Strips) -> list[str]:
    """The meaning of the marks that the chart has."""
    readings = [READING]
    if strips.dots:
        readings.append("Small mark: a valid trial, the median of its loads")
    if strips.arrows or any(dot["censored"] for dot in strips.dots):
        readings.append("Arrow: at least so long, because it had not ended when the trial stopped waiting")
    return readings


def _point(row: QoePairRow, labels: Labels) -> Datum:
    """The point of a row, in the unit of its metric."""
    metric, service = CATALOGUE[row.metric], labels.service(row.service)
    opponent = _row_name(row.contender, row.instance, labels)
    matchup = f"{service} {'against ' if row.contender else ''}{opponent}"
    ended = f", {row.censored} of them not ended" if row.censored else ""
    return {
        "row": opponent,
        "series": service,
        "value": metric.factor * row.value,
        "n": row.n,
        "q1": scaled(row.q1, metric.factor),
        "q3": scaled(row.q3, metric.factor),
        "low": scaled(row.low, metric.factor),
        "high": scaled(row.high, metric.factor),
        "label": f"{matchup}, {metric.label}: {_figure(row)}, n = {row.n}{ended}",
        "href": row.page,
    }


def _arrow(row: QoePairRow, labels: Labels) -> Datum | None:
    """The largest figure of a row, if it is a lower bound."""
    largest = max((figure for figure in (row.median, row.q3, row.high) if figure is not None), default=0)
    if row.at_least is None or largest < row.at_least:
        return None
    metric = CATALOGUE[row.metric]
    return {
        "row": _row_name(row.contender, row.instance, labels),
        "series": labels.service(row.service),
        "value": metric.factor * largest,
        "text": f"≥ {metric.factor * largest:g} {metric.shown_unit}",
    }


def _row_name(contender: str, instance: str, labels: Labels) -> str:
    """The name of a row: the contender, and in a self-pair the instance."""
    return f"{labels.contender(contender)}{of_instance(instance)}" if contender else "alone"


def _figure(row: QoePairRow) -> str:
    """A row's median, such as `3.20` or `≥ 45.00`."""
    metric = CATALOGUE[row.metric]
    return f"{'≥ ' if row.bound else ''}{metric.factor * row.value:.{metric.decimals}f}"


def _value(row: QoePairRow) -> str:
    return f"{_figure(row)} {CATALOGUE[row.metric].shown_unit}"


def _load_dots(
    loads: Iterable[PageLoadRow], trials: Iterable[ServiceRow], setting: str, labels: Labels
) -> list[Datum]:
    """The median load of each client of a setting, without further clients of a service in a trial.

    A median is a lower bound if an unfinished load may change it, as in scripts/tables/figures.sql.
    """
    in_setting = [load for load in loads if load.setting == setting]
    own = grouped(in_setting, lambda load: (load.key, load.client))
    instances = {(row.key, row.client): row.instance for row in trials if row.instance != "further"}
    return [
        _dot(of_client, instances[client], labels) for client, of_client in own.items() if client in instances
    ]


def _dot(loads: list[PageLoadRow], instance: str, labels: Labels) -> Datum:
    first, value = loads[0], median(load.visually_complete_s for load in loads)
    bound = min((load.visually_complete_s for load in loads if load.censored), default=float("inf"))
    known = [load.visually_complete_s for load in loads if load.visually_complete_s < bound]
    return {
        "row": _row_name(first.contender, instance, labels),
        "series": labels.service(first.service),
        "value": value,
        "censored": bound < float("inf") and value > max(known, default=-1.0),
    }
