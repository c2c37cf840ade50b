"""The rows of a cycle's tables, with the columns that charts and pages read.

scripts/tables/<table>.yaml says what each column means, and its unit. None stands for null.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from scripts.charts.chart_labels import ENOUGH
from scripts.figures.figure import MOVES
from scripts.model.pairs import contenders, is_solo, pair_name
from scripts.model.trials import TrialKey


@dataclass(frozen=True)
class TrialRow:
    """The columns that every table of single trials begins with."""

    setting: str
    pair: str
    trial: int

    @property
    def key(self) -> TrialKey:
        """Which trial it is."""
        return TrialKey(self.setting, self.pair, self.trial)


@dataclass(frozen=True)
class ClientRow(TrialRow):
    """A row of trial_services, or of another table with a row for each client of a trial."""

    client: str
    service: str

    @property
    def number(self) -> int:
        """The client's number: 10 of c10."""
        return int(self.client.removeprefix("c"))

    @property
    def place(self) -> tuple[str, int]:
        """Sorts the clients of a trial as the name of its pair has them, whichever started first."""
        return self.service, self.number


@dataclass(frozen=True)
class ServiceRow(ClientRow):
    """A row of trial_services."""

    contender: str
    clients: int
    valid: bool
    instance: str
    wire_rate_mbps: float | None


@dataclass(frozen=True)
class WindowRow(ClientRow):
    """A row of trial_services: the link, the steady window and the throughput in it.

    A failed trial has neither window nor throughput.
    """

    valid: bool
    window_start_s: float | None
    window_stop_s: float | None
    throughput_mbps: float | None
    rate_mbps: float
    rtt_ms: float

    @property
    def window(self) -> tuple[float, float] | None:
        """Start and stop of the steady window, if it is known."""
        if self.window_start_s is None or self.window_stop_s is None:
            return None
        return self.window_start_s, self.window_stop_s


@dataclass(frozen=True)
class FairnessRow(ClientRow):
    """A row of trial_fairness."""

    share: float | None


@dataclass(frozen=True)
class SlotRow(ClientRow):
    """A row of trial_series."""

    slot: int
    time_s: float
    throughput_mbps: float | None
    backlog_packets_mean: float | None
    backlog_packets_max: int | None


@dataclass(frozen=True)
class SenderRow(ClientRow):
    """A row of trial_senders."""

    at_s: int
    time_s: float
    connections: int
    cwnd_packets: int
    ssthresh_packets: int | None
    bbr_bandwidth_mbps: float | None
    bbr_min_rtt_ms: float | None


@dataclass(frozen=True)
class VideoSecondRow(ClientRow):
    """A row of qoe_video_series with a known bitrate."""

    at_s: int
    bitrate_kbps: float
    stalled: float


CellKey = tuple[str, str, str, str]
"""Setting, incumbent, contender and instance: the key of `pairs`."""


@dataclass(frozen=True)
class PairRow:
    """A row of pairs. That of a cycle from before there were verdicts has none."""

    setting: str
    pair: str
    incumbent: str
    contender: str
    instance: str
    unable: str
    n: int
    excluded: int
    allocation_mbps: float
    share_n: int
    share_median: float | None
    share_q25: float | None
    share_q75: float | None
    share_low: float | None
    share_high: float | None
    utilization_n: int
    utilization_median: float | None
    loss_rate_n: int
    loss_rate_median: float | None
    queueing_delay_ms_n: int
    queueing_delay_ms_median: float | None
    jain_median: float | None
    harm_throughput_n: int
    harm_throughput_median: float | None
    harm_delay_n: int
    harm_delay_median: float | None
    harm_loss_n: int
    harm_loss_median: float | None
    verdict: str | None = None
    provisional: bool = False
    """Whether the cycle still runs: pairs are looked at again and again, so no look has a verdict."""
    settled: str | None = None

    @property
    def key(self) -> CellKey:
        """The key of the row."""
        return self.setting, self.incumbent, self.contender, self.instance

    @property
    def shown_verdict(self) -> str | None:
        """The verdict, or what pages say in its place.

        Returns:
            `seen` below six trials; `unjudged` for the worse-off instance of a self-pair, and for a row that
            is no cell of the matrix; `provisional` while the cycle runs. None without a share, if a service
            is unable alone, and for the better-off instance.
        """
        if self.share_median is None or self.unable or self.instance == "better_off":
            return None
        if self.provisional:
            return "provisional"
        few = self.share_low is None and self.instance == "first"
        return self.verdict or ("seen" if few else "unjudged")

    @property
    def shown_settled(self) -> str | None:
        """Whether the share has settled; None below six trials, of a closed pair, while the cycle runs."""
        return None if self.unable or self.provisional else self.settled

    @property
    def moves(self) -> bool:
        """Whether the share still moves within the steady window of its trials."""
        return self.shown_settled == MOVES


Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


def cells_of(pairs: Iterable[PairRow], setting: str) -> list[PairRow]:
    """The rows of `pairs` in a setting's matrix: one service against one, or against its better-off instance.

    Calls, web pages and generated flows are contenders in `pairs` but never incumbents. They are not cells. A
    pair that has a service that is unable alone is in the matrix, but its figures do not count.
    """
    rows = [
        row
        for row in pairs
        if row.setting == setting and len(contenders(row.contender)) == 1 and row.instance != "better_off"
    ]
    incumbents = {row.incumbent for row in rows}
    return [row for row in rows if row.contender in incumbents]


@dataclass(frozen=True)
class ShareBinRow:
    """A row of share_over_time: the share of a service in a bin of the time of its trials."""

    setting: str
    pair: str
    service: str
    contender: str
    instance: str
    start_s: float
    width_s: float
    n: int
    median: float
    q25: float
    q75: float
    minimum: float
    maximum: float
    window_start_s: float
    window_stop_s: float

    @property
    def stop_s(self) -> float:
        """The end of the bin."""
        return self.start_s + self.width_s

    @property
    def middle_s(self) -> float:
        """The middle of the bin."""
        return self.start_s + self.width_s / 2

    @property
    def window(self) -> tuple[float, float]:
        """Start and end of the steady window."""
        return self.window_start_s, self.window_stop_s


@dataclass(frozen=True)
class SoloRow:
    """A row of solo."""

    setting: str
    service: str
    wire_rate_low_mbps: float | None
    wire_rate_high_mbps: float | None


@dataclass(frozen=True)
class ChangeRow:
    """A row of changes."""

    setting: str
    pair: str
    incumbent: str
    contender: str
    instance: str
    family: str
    before_median_mbps: float
    after_median_mbps: float
    p_corrected: float
    changed: bool

    @property
    def control(self) -> bool:
        """Whether it belongs to the control group: if such a cell changed, the testbed did."""
        return self.family == "control"


@dataclass(frozen=True)
class WorkloadRow:
    """A row of workloads."""

    setting: str
    service: str
    flows_declared: int | None
    flows_measured: float | None

    @property
    def flows(self) -> float:
        """The flows that carry the service's workload at once: as measured, else as declared, else one."""
        return self.flows_measured or self.flows_declared or 1


@dataclass(frozen=True)
class MedianRow:
    """The columns that all tables of medians over trials have."""

    setting: str
    service: str
    contender: str
    metric: str
    n: int
    median: float | None
    low: float | None
    high: float | None

    @property
    def value(self) -> float:
        """The median, 0 without a valid trial."""
        return self.median or 0

    @property
    def enough(self) -> bool:
        """Whether there are enough trials for an interval."""
        return self.n >= ENOUGH


@dataclass(frozen=True)
class MetricRow(MedianRow):
    """A row of predictions, or of orders or models with the columns that it shares with these."""

    pair: str

    @property
    def page(self) -> str:
        """The address of the page of the pair, or of the service alone, from that of a chart."""
        return f"../{page_of(self.setting, self.pair)}"

    def words(self, factor: float = 1, decimals: int = 2, unit: str = "") -> str:
        """The median with its interval: `41.2 % (39.0 to 43.1 %), n = 6`."""
        interval = ""
        if self.low is not None and self.high is not None:
            interval = f" ({factor * self.low:.{decimals}f} to {factor * self.high:.{decimals}f}{unit})"
        return f"{factor * self.value:.{decimals}f}{unit}{interval}, n = {self.n}"


@dataclass(frozen=True)
class BoundRow(MedianRow):
    """A median that is a lower bound from `at_least` on, as some of its values had not ended (censored)."""

    instance: str
    censored: int
    at_least: float | None

    @property
    def bound(self) -> bool:
        """Whether the median is a lower bound."""
        return self.at_least is not None and self.value >= self.at_least

    @property
    def pair(self) -> str:
        """The name of the pair or solo."""
        return pair_name([self.service, *contenders(self.contender)])

    @property
    def page(self) -> str:
        """The address of its page from that of a chart."""
        return f"../{page_of(self.setting, self.pair)}"


@dataclass(frozen=True)
class QoePairRow(BoundRow):
    """A row of qoe_pairs."""

    q1: float | None
    q3: float | None


@dataclass(frozen=True)
class PageLoadRow(ClientRow):
    """A row of qoe_web. If the load is censored, its time is a lower bound."""

    contender: str
    valid: bool
    censored: bool
    visually_complete_s: float


@dataclass(frozen=True)
class FnessRow(ClientRow):
    """A row of trial_fairness."""

    valid: bool
    fness: float | None


@dataclass(frozen=True)
class OrderRow(MetricRow):
    """A row of orders."""

    client: str
    started: str
    q25: float | None
    q75: float | None


def page_of(setting: str, pair: str) -> str:
    """The address of the page of a pair or solo, among those of its cycle."""
    return f"{'solos' if is_solo(pair) else 'pairs'}/{setting}/{pair}/"


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items of each key, in their order."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def scaled(value: float | None, factor: float) -> float | None:
    """A value times a factor; None stays None."""
    return None if value is None else factor * value
