"""One pair of the cycle, from its packets to its verdict: the worked example of the method page."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from scripts.charts.table_rows import ClientRow, PairRow, cells_of, grouped
from scripts.figures.words import VERDICTS
from scripts.site.cycle.cells import described_cells
from scripts.site.cycle.inputs import Inputs, Row

DECIDED = ("losing", "winning")

CLIENT_COLUMNS = ("service", "arrived_packets", "dropped_packets", "wire_rate_mbps", "window_s")
"""The columns of `trial_services` that the example shows of each client."""

SCALE = 2.0
"""The least that the picture has room for: twice the fair share."""


@dataclass(frozen=True)
class ValidShare(ClientRow):
    """A row of trial_fairness with a share."""

    share: float


def worked_example(inputs: Inputs) -> Row | None:
    """The pair that the method page follows; None if no two different services have a share.

    It is the pair with the lowest share: of those with a loser or a winner, else of all. `sides` are its
    services, that one first, each with its columns of `pairs`, its `shares` in the valid trials and its
    `words`. `trial` is the valid trial in which its share is nearest to the median. `scale` is the largest
    share that the picture has room for. `test` is its row of the table verdicts, if the cycle has one.
    """
    described = described_cells(inputs)
    sides = _sides(inputs, described)
    if not sides:
        return None
    first, shares = sides[0], _shares(inputs, sides[0])
    return {
        "setting": first.setting,
        "pair": first.pair,
        "sides": [
            described[side]
            | {
                "shares": [row.share for row in shares[side.incumbent]],
                "words": VERDICTS.get(str(described[side]["verdict"])),
            }
            for side in sides
        ],
        "trial": _typical(inputs, first, shares[first.incumbent]),
        "scale": max(SCALE, *(ceil(row.share) for rows in shares.values() for row in rows)),
        "test": next((row for row in inputs.tables.get("verdicts", []) if _is_of(row, first)), None),
    }


def _sides(inputs: Inputs, described: Mapping[PairRow, Row]) -> list[PairRow]:
    """The cells of the pair, that with the lowest share first."""
    cells = [
        cell
        for setting in inputs.campaign.settings
        for cell in cells_of(described, setting)
        if cell.incumbent != cell.contender and cell.share_median is not None and not cell.unable
    ]

    def order(cell: PairRow) -> tuple[bool, float]:
        return described[cell]["verdict"] not in DECIDED, cell.share_median or 0.0

    pairs = grouped(sorted(cells, key=order), lambda cell: (cell.setting, cell.pair))
    return next(iter(pairs.values()), [])


def _shares(inputs: Inputs, cell: PairRow) -> dict[str, list[ValidShare]]:
    """The shares in the valid trials of a pair, by service."""
    rows = [
        inputs.record(row, "trial_fairness", ValidShare)
        for row in inputs.tables["trial_fairness"]
        if _is_of(row, cell) and row["valid"] and row["share"] is not None
    ]
    return grouped(rows, lambda row: row.service)


def _typical(inputs: Inputs, cell: PairRow, shares: list[ValidShare]) -> Row:
    """The trial in which the share is nearest to the median, with its clients in the order of the pair."""
    median = cell.share_median or 0.0
    typical = min(shares, key=lambda row: (abs(row.share - median), row.trial))
    clients = inputs.by_trial("trial_services")[typical.key]
    return {
        "nn": typical.key.nn,
        "share": typical.share,
        "clients": {str(row["service"]): {name: row[name] for name in CLIENT_COLUMNS} for row in clients},
    }


def _is_of(row: Row, cell: PairRow) -> bool:
    """Whether a row is about the pair of a cell."""
    return (row["setting"], row["pair"]) == (cell.setting, cell.pair)
