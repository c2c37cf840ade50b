"""What the pages say of each row of `pairs`: its verdict, the range of its trials, and remarks about it."""

from dataclasses import dataclass
from statistics import median

from scripts.charts.table_rows import CellKey, PairRow, grouped
from scripts.figures.words import SETTLED
from scripts.site import Row
from scripts.site.cycle.excluded_pages import closed_as_precise
from scripts.site.cycle.inputs import Inputs


@dataclass(frozen=True)
class TrialShare:
    """A row of trial_fairness."""

    setting: str
    service: str
    contender: str
    instance: str
    valid: bool
    share: float | None
    k_weights_low: float | None = None
    k_weights_high: float | None = None

    @property
    def cell(self) -> CellKey:
        """The cell that the trial is of."""
        return self.setting, self.service, self.contender, self.instance


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


def described_cells(inputs: Inputs) -> dict[PairRow, Row]:
    """Every row of `pairs`, with its columns and words for Hugo.

    The words are `verdict`, `settled` (whether its share has; `settled_words` is for sentences), `moves`
    (whether it still moves), `unable_services`, `lowest` and `highest` (shares of the valid trials), `bias`
    (its rows of exclusion_bias), `biased` (whether one of them warns), `modes` (its row of stability, if that
    has a second mode), `precise` (whether trials ended because the interval was narrow enough), and
    `k_weights` (the medians of the lowest and the highest K by other weights; None without K).
    """
    ranges, precise, k_weights = _ranges(inputs), closed_as_precise(inputs), _k_weights(inputs)
    bias = grouped(inputs.with_rows("exclusion_bias", Bias), lambda entry: entry[0].key)
    modes = {record.key: row for record, row in inputs.with_rows("stability", Spread) if record.bimodal}
    return {
        cell: row
        | {
            "verdict": cell.shown_verdict,
            "settled": cell.shown_settled,
            "settled_words": SETTLED.get(cell.shown_settled or ""),
            "moves": cell.moves,
            "unable_services": cell.unable.split(",") if cell.unable else [],
            "lowest": ranges.get(cell.key, (None, None))[0],
            "highest": ranges.get(cell.key, (None, None))[1],
            "bias": [entry for _record, entry in bias.get(cell.key, [])],
            "biased": any(record.warns for record, _entry in bias.get(cell.key, [])),
            "modes": modes.get(cell.key),
            "k_weights": k_weights.get(cell.key),
            "precise": (cell.setting, cell.pair) in precise,
        }
        for cell, row in inputs.with_rows("pairs", PairRow)
    }


def _ranges(inputs: Inputs) -> dict[CellKey, tuple[float, float]]:
    """The lowest and the highest share of the valid trials."""
    shares = [
        (row.cell, row.share)
        for row in inputs.records("trial_fairness", TrialShare)
        if row.valid and row.share is not None
    ]
    by_cell = grouped(shares, lambda entry: entry[0])
    return {key: (min(found)[1], max(found)[1]) for key, found in by_cell.items()}


def _k_weights(inputs: Inputs) -> dict[CellKey, tuple[float, float]]:
    """The medians, over the valid trials, of the lowest and the highest K by other weights."""
    ends = [
        (row.cell, row.k_weights_low, row.k_weights_high)
        for row in inputs.records("trial_fairness", TrialShare)
        if row.valid and row.k_weights_low is not None and row.k_weights_high is not None
    ]
    by_cell = grouped(ends, lambda entry: entry[0])
    return {
        key: (median(low for _cell, low, _high in found), median(high for _cell, _low, high in found))
        for key, found in by_cell.items()
    }
