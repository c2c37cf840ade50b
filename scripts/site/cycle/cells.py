"""The sides of pairs, which are the rows of `pairs`: verdict, trials, medians, and remarks about each."""

from dataclasses import dataclass
from statistics import median

from scripts.charts.table_rows import CellKey, PairRow, grouped
from scripts.figures.catalogue import metrics_of
from scripts.figures.figure import SHARE
from scripts.figures.words import SETTLED
from scripts.site import Row
from scripts.site.cycle.cell_series import party_of
from scripts.site.cycle.excluded_pages import closed_pairs
from scripts.site.cycle.inputs import Inputs, PairKey
from scripts.site.drawn.strip import cell_strip, drawn_strip
from scripts.site.story.worst_pair import Known


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
    def key(self) -> CellKey:
        """Its cell."""
        return self.setting, self.service, self.contender, self.instance

    @property
    def dot(self) -> tuple[float, bool]:
        """The share, and whether it counts."""
        return self.share, self.valid


SHOWN = ("pairs", "solo", "models", "predictions")
"""The pages list the metrics of these tables."""


def trial_shares(inputs: Inputs) -> dict[CellKey, list[TrialShare]]:
    """The shares in all trials of each cell."""
    rows = [row for row in inputs.tables["trial_fairness"] if row["share"] is not None]
    return grouped((inputs.record(row, "trial_fairness", TrialShare) for row in rows), lambda row: row.key)


def figures_of_cells(inputs: Inputs) -> dict[tuple[str, ...], dict[str, Row]]:
    """The rows of figures of every cell (CellKey) and of every service alone, by metric."""
    shown = {name for table in SHOWN for name in metrics_of(table)}
    return {
        key: {
            str(row["metric"]): row
            for row in rows
            if row["metric"] in shown and row["all_median"] is not None
        }
        for key, rows in inputs.rows_by("figures", "setting", "service", "contender", "instance").items()
    }


def sides_of_pairs(inputs: Inputs, known: Known) -> dict[PairKey, list[Row]]:
    """The rows of `pairs` by setting and pair, sorted by incumbent; the worse-off instance comes first.

    Each has its columns, and for Hugo: `verdict`, `settled_words` (whether its share has settled), `moves`
    (whether it still moves), `unable_services`, `lowest` and `highest` (shares of the valid trials), `bias`
    (its rows of exclusion_bias), `biased` (whether one of them warns), `modes` (its row of stability, if that
    has a second mode), `precise` (whether trials ended because the interval was narrow enough), `k_weights`
    (the medians of the lowest and the highest K by other weights; None without K), `look` (of its service),
    `strip` (of its trials), and `figures` (its rows of that table by metric).
    """
    precise = set(closed_pairs(inputs, "precise"))
    shares, figures = trial_shares(inputs), figures_of_cells(inputs)
    cell = ("setting", "incumbent", "contender", "instance")
    bias, modes = inputs.rows_by("exclusion_bias", *cell), inputs.row_by("stability", *cell)
    sides: dict[PairKey, list[Row]] = {}
    rows = inputs.with_rows("pairs", PairRow)
    for side, row in sorted(rows, key=lambda one: (one[0].incumbent, one[0].instance == "better_off")):
        trials, excluded = shares.get(side.key, []), bias.get(side.key, [])
        valid, mode = [trial for trial in trials if trial.valid], modes.get(side.key)
        dots = [trial.dot for trial in trials]
        words: Row = {
            "verdict": side.shown_verdict,
            "settled_words": SETTLED.get(side.shown_settled or ""),
            "moves": side.moves,
            "unable_services": side.unable.split(",") if side.unable else [],
            "lowest": min((trial.share for trial in valid), default=None),
            "highest": max((trial.share for trial in valid), default=None),
            "bias": excluded,
            "biased": any(entry["warns"] for entry in excluded),
            "modes": mode if mode and mode["bimodal"] else None,
            "k_weights": _k_weights(valid),
            "precise": (side.setting, side.pair) in precise,
            "look": party_of(side.pair, side.incumbent, side.instance).look,
            "strip": drawn_strip(cell_strip(known[*side.key, SHARE], dots)) if dots else None,
            "figures": figures.get(side.key, {}),
        }
        sides.setdefault((side.setting, side.pair), []).append(row | words)
    return sides


def _k_weights(valid: list[TrialShare]) -> tuple[float, float] | None:
    """The medians of the lowest and the highest K by other weights."""
    lows = [trial.k_weights_low for trial in valid if trial.k_weights_low is not None]
    highs = [trial.k_weights_high for trial in valid if trial.k_weights_high is not None]
    return (median(lows), median(highs)) if lows and highs else None
