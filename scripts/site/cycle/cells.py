"""What the pages say of each row of `pairs`: its verdict, the range of its trials, and remarks about it."""

from dataclasses import dataclass

from scripts.charts.table_rows import CellKey, PairRow, grouped
from scripts.site.cycle.inputs import Inputs, Row


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


def described_cells(inputs: Inputs) -> dict[PairRow, Row]:
    """Every row of `pairs`, with its columns and words for Hugo.

    The words are `verdict`, `unable_services`, `lowest` and `highest` (shares of the valid trials), `bias`
    (its rows of exclusion_bias), `biased` (whether one of them warns), and `modes` (its row of stability, if
    that has a second mode).
    """
    ranges = _ranges(inputs)
    bias = grouped(inputs.with_rows("exclusion_bias", Bias), lambda entry: entry[0].key)
    modes = {record.key: row for record, row in inputs.with_rows("stability", Spread) if record.bimodal}
    return {
        cell: row
        | {
            "verdict": cell.shown_verdict,
            "unable_services": cell.unable.split(",") if cell.unable else [],
            "lowest": ranges.get(cell.key, (None, None))[0],
            "highest": ranges.get(cell.key, (None, None))[1],
            "bias": [entry for _record, entry in bias.get(cell.key, [])],
            "biased": any(record.warns for record, _entry in bias.get(cell.key, [])),
            "modes": modes.get(cell.key),
        }
        for cell, row in inputs.with_rows("pairs", PairRow)
    }


def _ranges(inputs: Inputs) -> dict[CellKey, tuple[float, float]]:
    """The lowest and the highest share of the valid trials."""
    shares = [
        ((row.setting, row.service, row.contender, row.instance), row.share)
        for row in inputs.records("trial_fairness", TrialShare)
        if row.valid and row.share is not None
    ]
    by_cell = grouped(shares, lambda entry: entry[0])
    return {key: (min(found)[1], max(found)[1]) for key, found in by_cell.items()}
