"""Rows and words that the charts of K over the settings of a sweep share (Corbel et al., VI)."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.charts.chart_labels import Labels
from scripts.charts.dot_chart import ENOUGH
from scripts.charts.sweep_groups import SweepGroup, sweep_groups
from scripts.model.pairs import contenders
from scripts.model.settings import Setting


@dataclass(frozen=True)
class SettingK:
    """A row of fmp_settings: K of a pair in a setting, below 0 where the first client dominates."""

    sweep: str
    setting: str
    pair: str
    k: float | None


@dataclass(frozen=True)
class FmpRow:
    """A row of fmp: |K| over the settings of a sweep, or over those with the same value of a key."""

    sweep: str
    pair: str
    service: str
    contender: str
    key: str
    value: str
    n: int
    k_abs_median: float | None
    k_abs_low: float | None
    k_abs_high: float | None

    def words(self) -> str:
        """The median with its interval, such as `median |K| 0.21 (0.10 to 0.30), n = 75`."""
        if self.k_abs_median is None:
            return "no valid trial"
        interval = ""
        if self.k_abs_low is not None and self.k_abs_high is not None:
            interval = f" ({self.k_abs_low:.2f} to {self.k_abs_high:.2f})"
        return f"median |K| {self.k_abs_median:.2f}{interval}, n = {self.n}"


def fmp_sweeps(settings: dict[str, Setting]) -> list[SweepGroup]:
    """The sweeps whose settings are judged together: those of several keys. One key has a curve of its own.

    Args:
        settings: the campaign's settings by name.
    """
    return [sweep for sweep in sweep_groups(settings) if len(sweep.varied) > 1]


def fmp_pairs(rows: Iterable[FmpRow], sweep: SweepGroup) -> list[FmpRow]:
    """The rows over all settings of a sweep, of the pairs with a K in enough of them for a verdict."""
    return [row for row in rows if (row.sweep, row.key) == (sweep.name, "") and row.n >= ENOUGH]


def key_name(key: str) -> str:
    """A swept key in the name of a chart."""
    return key.replace("_", "-").replace(".", "-")


def chart_names(sweep: SweepGroup, pair: str) -> list[str]:
    """The names of all charts that a pair may have in a sweep."""
    of_pair = f"{sweep.name}-{pair}"
    return [*(f"k-by-{key_name(key)}-{of_pair}" for key in sweep.varied), f"fmp-accuracy-{of_pair}"]


def sides(row: FmpRow, labels: Labels) -> tuple[str, str]:
    """What dominates where K is below 0, and where it is above 0."""
    if row.contender == row.service:
        return "the first client", "the second client"
    several = len(contenders(row.contender)) > 1
    other = "another service" if several else labels.service(row.contender)
    return labels.service(row.service), other
