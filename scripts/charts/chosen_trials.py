"""The trials that have charts as files: the typical and the worst one of each pair or solo in a setting.

Of a pair, *typical* is the valid trial in which the share of the pair's first service (of a self-pair: of the
worse-off instance) is nearest to the median, and *worst* the valid trial with the smallest share of any
client. A solo, and a pair without shares, is judged by wire rates. Ties go to the lower number. A cell
without a valid trial has its first completed one as both.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from scripts.charts.table_rows import FairnessRow, ServiceRow
from scripts.model.trials import TrialKey

CHOSEN = "chosen.json"
"""The file that lists the chosen trials, in the folder of the charts of trials."""


@dataclass(frozen=True, order=True)
class Chosen:
    """The numbers of the chosen trials of a pair or solo.

    `figure` is what they are chosen by: `share`, `wire_rate_mbps`, or None if no trial of the cell is valid.
    """

    setting: str
    pair: str
    typical: int
    worst: int
    figure: str | None

    @property
    def keys(self) -> list[TrialKey]:
        """The chosen trials, one or two, by number."""
        return [TrialKey(self.setting, self.pair, number) for number in sorted({self.typical, self.worst})]


@dataclass(frozen=True)
class ChosenTrials:
    """The content of chosen.json."""

    cells: tuple[Chosen, ...]


Shares = dict[tuple[TrialKey, str], float | None]
"""The share of each client of each trial."""


def chosen_trials(trials: Iterable[ServiceRow], fairness: Iterable[FairnessRow]) -> list[Chosen]:
    """The typical and the worst trial of every cell, sorted by setting and pair.

    Returns:
        A record for each cell. A cell without a completed trial has none.
    """
    shares = {(row.key, row.client): row.share for row in fairness}
    cells: dict[tuple[str, str], dict[int, list[ServiceRow]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(trials, key=lambda row: (row.key, row.service, row.number)):
        if row.wire_rate_mbps is not None:
            cells[row.setting, row.pair][row.trial].append(row)
    return [_choose(*cell, of_cell, shares) for cell, of_cell in sorted(cells.items())]


def _choose(setting: str, pair: str, trials: dict[int, list[ServiceRow]], shares: Shares) -> Chosen:
    valid = {number: rows for number, rows in trials.items() if rows[0].valid}
    if not valid:
        first = min(trials)
        return Chosen(setting, pair, first, first, None)
    figure, figures = _figures(valid, shares)
    sides = {number: figures[number][_side(rows)] for number, rows in valid.items()}
    middle = median(sides.values())
    typical = min(sides, key=lambda number: (abs(sides[number] - middle), number))
    worst = min(figures, key=lambda number: (min(figures[number]), number))
    return Chosen(setting, pair, typical, worst, figure)


def _figures(trials: dict[int, list[ServiceRow]], shares: Shares) -> tuple[str, dict[int, list[float]]]:
    """The share of every client of each trial, or the wire rates if a share is unknown."""
    figure = "share"
    figures = {number: [shares.get((row.key, row.client)) for row in rows] for number, rows in trials.items()}
    if any(share is None for values in figures.values() for share in values):
        figure = "wire_rate_mbps"
        figures = {number: [row.wire_rate_mbps for row in rows] for number, rows in trials.items()}
    return figure, {number: [value or 0.0 for value in values] for number, values in figures.items()}


def _side(rows: list[ServiceRow]) -> int:
    """The place of the client that a pair is judged by: the worse-off instance, else the first service."""
    return next((place for place, row in enumerate(rows) if row.instance == "worse_off"), 0)
