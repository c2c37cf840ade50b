"""What the pages say of each row of `pairs`: its verdict, the range of its trials, and remarks about it."""

from dataclasses import dataclass
from typing import Literal

from scripts.charts.table_rows import PairRow
from scripts.metrics.fairness import verdict
from scripts.site.cycle.inputs import Inputs, Row

Verdict = Literal["losing", "fair", "winning", "undecided", "seen"]

CellKey = tuple[str, str, str, str]
"""Setting, incumbent, contender and instance: the key of `pairs`."""


@dataclass(frozen=True)
class PairCell(PairRow):
    """A row of `pairs` with its meaning."""

    @property
    def key(self) -> CellKey:
        """The key of the row."""
        return self.setting, self.incumbent, self.contender, self.instance

    @property
    def judged(self) -> bool:
        """Whether the median has an interval: whether there are six valid trials."""
        return self.share_median is not None and self.share_low is not None and not self.unable

    @property
    def verdict(self) -> Verdict | None:
        """The outcome, if trials and interval allow one.

        Returns:
            `losing` and `winning` only if the interval excludes 100 %, otherwise `undecided`; `seen` below
            six trials. None without a share, and for the better-off instance of a self-pair, which cannot
            win.
        """
        if self.share_median is None or self.unable or self.instance == "better_off":
            return None
        if self.share_low is None or self.share_high is None:
            return "seen"
        return verdict(self.share_median, self.share_low, self.share_high)


@dataclass(frozen=True)
class TrialShare:
    """A row of trial_fairness."""

    setting: str
    service: str
    contender: str
    instance: str
    valid: bool
    share: float | None


@dataclass(frozen=True)
class CellRow:
    """The key of the tables exclusion_bias and stability."""

    setting: str
    incumbent: str
    contender: str
    instance: str

    @property
    def key(self) -> CellKey:
        """The cell that the row is about."""
        return self.setting, self.incumbent, self.contender, self.instance


@dataclass(frozen=True)
class Bias(CellRow):
    """A row of exclusion_bias."""

    warns: bool


@dataclass(frozen=True)
class Spread(CellRow):
    """A row of stability."""

    bimodal: bool | None


def described_cells(inputs: Inputs) -> dict[PairCell, Row]:
    """Every row of `pairs`, with its columns and words for Hugo.

    The words are `verdict`, `unable_services`, `lowest` and `highest` (shares of the valid trials), `bias`
    (its rows of exclusion_bias), `biased` (whether one of them warns), and `modes` (its row of stability, if
    that has a second mode).
    """
    ranges, bias, modes = _ranges(inputs), _bias(inputs), _second_modes(inputs)
    return {
        cell: row
        | {
            "verdict": cell.verdict,
            "unable_services": cell.unable.split(",") if cell.unable else [],
            "lowest": ranges.get(cell.key, (None, None))[0],
            "highest": ranges.get(cell.key, (None, None))[1],
            "bias": [entry for _warns, entry in bias.get(cell.key, [])],
            "biased": any(warns for warns, _entry in bias.get(cell.key, [])),
            "modes": modes.get(cell.key),
        }
        for cell, row in zip(inputs.records("pairs", PairCell), inputs.tables["pairs"], strict=True)
    }


def _ranges(inputs: Inputs) -> dict[CellKey, tuple[float, float]]:
    """The lowest and the highest share of the valid trials."""
    shares: dict[CellKey, list[float]] = {}
    for row in inputs.records("trial_fairness", TrialShare):
        if row.valid and row.share is not None:
            key = row.setting, row.service, row.contender, row.instance
            shares.setdefault(key, []).append(row.share)
    return {key: (min(values), max(values)) for key, values in shares.items()}


def _bias(inputs: Inputs) -> dict[CellKey, list[tuple[bool, Row]]]:
    """The rows of exclusion_bias of each cell, each with whether it warns."""
    found: dict[CellKey, list[tuple[bool, Row]]] = {}
    records = inputs.records("exclusion_bias", Bias)
    for record, row in zip(records, inputs.tables["exclusion_bias"], strict=True):
        found.setdefault(record.key, []).append((record.warns, row))
    return found


def _second_modes(inputs: Inputs) -> dict[CellKey, Row]:
    """The rows of stability whose trials have a second mode."""
    records = zip(inputs.records("stability", Spread), inputs.tables["stability"], strict=True)
    return {record.key: row for record, row in records if record.bimodal}
