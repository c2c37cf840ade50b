"""The figures of the quality of experience in words: names, units, and the pages of pairs and solos."""

from dataclasses import dataclass

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.table_rows import QoePairRow
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


def page_of(row: QoePairRow) -> str:
    """The address of the page of the row's pair or solo."""
    if not row.contender:
        return f"solos/{row.setting}/{row.service}/"
    return f"pairs/{row.setting}/{pair_of(row)}/"


def pair_of(row: QoePairRow) -> str:
    """The name of the row's pair or solo."""
    return pair_name([row.service, *contenders(row.contender)])


def row_name(contender: str, instance: str, labels: Labels) -> str:
    """The name of a row: the contender, and in a self-pair the instance."""
    return f"{labels.contender(contender)}{of_instance(instance)}" if contender else ALONE


def figure_words(row: QoePairRow) -> str:
    """A row's median and its number of trials: `3.20, n = 6`, or `≥ 45.00, n = 6, 4 of them not ended`."""
    ended = f", {row.censored} of them not ended" if row.censored else ""
    return f"{_figure(row)}, n = {row.n}{ended}"


def _figure(row: QoePairRow) -> str:
    metric = METRICS[row.metric]
    bound = "≥ " if row.at_least is not None and (row.median or 0) >= row.at_least else ""
    return f"{bound}{metric.factor * (row.median or 0):.{metric.decimals}f}"


def value_words(row: QoePairRow) -> str:
    """A row's median with its unit."""
    return f"{_figure(row)} {METRICS[row.metric].unit}"
