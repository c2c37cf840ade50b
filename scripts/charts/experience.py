"""What people get of videos, calls and pages, beside each contender and alone (Prudentia Figs. 5 and 6)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.labels import Labels
from scripts.charts.strips import READING, Strip, strips_chart
from scripts.charts.theme import Row
from scripts.model.pairs import pair_name

ALONE = "alone"


@dataclass(frozen=True)
class Metric:
    """One `metric` of the table qoe_pairs as readers see it.

    Attributes:
        label: what it is, with the unit that it is shown in.
        unit: that unit, behind a number.
        decimals: how many a number has.
        factor: what the column is multiplied by.
    """

    label: str
    unit: str
    decimals: int
    factor: float = 1


METRICS = {
    "video_bitrate_kbps": Metric("Bitrate (Mbps)", "Mbps", 2, 0.001),
    "video_stalled_s": Metric("Stood still (s)", "s", 1),
    "rtc_height": Metric("Resolution (lines)", "lines", 0),
    "rtc_frames_per_s": Metric("Frames per second", "per s", 1),
    "rtc_freezes_per_minute": Metric("Freezes per minute", "per min", 1),
    "rtc_high_delay_fraction": Metric("Packets over 190 ms (percent)", "%", 1, 100),
    "web_visually_complete_s": Metric("Time to 95 % of the page (s)", "s", 2),
    "web_speed_index_s": Metric("SpeedIndex (s)", "s", 2),
}


@dataclass(frozen=True)
class Experience:
    """One chart: its title and the metrics that are its panels."""

    title: str
    metrics: tuple[str, ...]


EXPERIENCES = {
    "video": Experience("What viewers of a video get", ("video_bitrate_kbps", "video_stalled_s")),
    "rtc": Experience(
        "What participants of a call get",
        ("rtc_height", "rtc_frames_per_s", "rtc_freezes_per_minute", "rtc_high_delay_fraction"),
    ),
    "web": Experience("How long a page takes", ("web_visually_complete_s",)),
}


def experience_chart(
    qoe_pairs: Iterable[Row], qoe_web: Iterable[Row], setting: str, kind: str, labels: Labels
) -> alt.HConcatChart | None:
    """A row for each contender, alone first, a panel for each metric; None where there is no such service.

    Args:
        qoe_pairs: the rows of `qoe_pairs`.
        qoe_web: the rows of `qoe_web`; the loads of valid trials are dots of the chart of pages.
        setting: the setting to show.
        kind: a key of EXPERIENCES.
        labels: titles and colours of the services.
    """
    look = EXPERIENCES[kind]
    measured = [
        row
        for row in qoe_pairs
        if row["setting"] == setting and row["metric"] in look.metrics and row["median"] is not None
    ]
    if not measured:
        return None
    contenders = {contender(row, labels) for row in measured}
    order = [name for name in [ALONE] if name in contenders] + sorted(contenders - {ALONE})
    points = [_point(row, labels) for row in measured]
    loads = qoe_web if kind == "web" else []
    dots = [_dot(row, labels) for row in loads if row["setting"] == setting and row["valid"]]
    strips = [
        Strip(
            METRICS[metric].label,
            [point for point in points if point["metric"] == metric],
            dots,
        )
        for metric in look.metrics
    ]
    reading = (
        [READING, "Small dots are the single loads of all valid trials, which n counts"]
        if dots
        else [READING]
    )
    told = "; ".join(point["label"] for point in points)
    chart = strips_chart(strips, order, sorted({row["service"] for row in measured}), labels)
    return chart.properties(
        title=alt.Title(look.title, subtitle=[f"{labels.setting(setting)}, beside each contender", *reading]),
        description=f"{look.title}. {labels.setting(setting)}. {told}.",
    )


def contender(row: Row, labels: Labels) -> str:
    """Whom a service met, by its title."""
    return " and ".join(map(labels.service, row["contender"].split("~"))) if row["contender"] else ALONE


def page_of(row: Row) -> str:
    """The address of the pair or solo that a row of `qoe_pairs` is of."""
    if not row["contender"]:
        return f"solos/{row['setting']}/{row['service']}/"
    return f"pairs/{row['setting']}/{pair_name([row['service'], *row['contender'].split('~')])}/"


def _point(row: Row, labels: Labels) -> Row:
    look, service, beside = METRICS[row["metric"]], labels.service(row["service"]), contender(row, labels)
    values = {
        name: None if row[column] is None else look.factor * row[column]
        for name, column in (
            ("value", "median"),
            ("q1", "q1"),
            ("q3", "q3"),
            ("low", "low"),
            ("high", "high"),
        )
    }
    met = ALONE if beside == ALONE else f"against {beside}"
    shown = f"{look.label}: {values['value']:.{look.decimals}f}"
    return values | {
        "metric": row["metric"],
        "row": beside,
        "service": service,
        "label": f"{service} {met}, {shown}, n = {row['n']}",
        "href": f"../{page_of(row)}",
    }


def _dot(row: Row, labels: Labels) -> Row:
    return {
        "row": contender(row, labels),
        "service": labels.service(row["service"]),
        "value": row["visually_complete_s"],
    }
