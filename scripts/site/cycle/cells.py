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
    """A row of trial_fairness with a share."""

    setting: str
    service: str
    contender: str
    instance: str
    valid: bool
    share: float
    k_weights_low: float | None = None
    k_weights_high: float | None = None

    @property
    def dot(self) -> tuple[float, bool]:
        """The share, and whether it counts."""
        return self.share, self.valid


def trial_shares(inputs: Inputs) -> dict[CellKey, list[TrialShare]]:
    """The shares in all trials of each cell."""
    rows = [row for row in inputs.tables["trial_fairness"] if row["share"] is not None]
    shares = (inputs.record(row, "trial_fairness", TrialShare) for row in rows)
    return grouped(shares, lambda row: (row.setting, row.service, row.contender, row.instance))


def described_cells(inputs: Inputs, shares: dict[CellKey, list[TrialShare]]) -> dict[PairRow, Row]:
    """Every row of `pairs`, with its columns and words for Hugo.

    The words are `verdict`, `settled_words` (whether its share has settled), `moves`
    (whether it still moves), `unable_services`, `lowest` and `highest` (shares of the valid trials), `bias`
    (its rows of exclusion_bias), `biased` (whether one of them warns), `modes` (its row of stability, if that
    has a second mode), `precise` (whether trials ended because the interval was narrow enough), and
    `k_weights` (the medians of the lowest and the highest K by other weights; None without K).
    """
    precise, bias = closed_as_precise(inputs), grouped(inputs.tables["exclusion_bias"], _cell)
    modes = {_cell(row): row for row in inputs.tables["stability"] if row["bimodal"]}
    described = {}
    for cell, row in inputs.with_rows("pairs", PairRow):
        valid = [trial for trial in shares.get(cell.key, []) if trial.valid]
        described[cell] = row | {
            "verdict": cell.shown_verdict,
            "settled_words": SETTLED.get(cell.shown_settled or ""),
            "moves": cell.moves,
            "unable_services": cell.unable.split(",") if cell.unable else [],
            "lowest": min((trial.share for trial in valid), default=None),
            "highest": max((trial.share for trial in valid), default=None),
            "bias": bias.get(cell.key, []),
            "biased": any(entry["warns"] for entry in bias.get(cell.key, [])),
            "modes": modes.get(cell.key),
            "k_weights": _k_weights(valid),
            "precise": (cell.setting, cell.pair) in precise,
        }
    return described


def _cell(row: Row) -> CellKey:
    """The cell of a row of exclusion_bias or stability."""
    setting, incumbent, contender, instance = (
        str(row[name]) for name in ("setting", "incumbent", "contender", "instance")
    )
    return setting, incumbent, contender, instance


def _k_weights(valid: list[TrialShare]) -> tuple[float, float] | None:
    """The medians of the lowest and the highest K by other weights."""
    lows = [trial.k_weights_low for trial in valid if trial.k_weights_low is not None]
    highs = [trial.k_weights_high for trial in valid if trial.k_weights_high is not None]
    return (median(lows), median(highs)) if lows and highs else None
