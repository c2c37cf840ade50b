"""One pair of the cycle, from its packets to its verdict: the worked example of the method page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.charts.table_rows import ClientRow, PairRow, cells_of, grouped
from scripts.figures.words import VERDICTS
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.cells import described_cells
from scripts.site.cycle.inputs import Inputs
from scripts.site.drawn.link_bar import LinkBar, drawn_bar, link_bar
from scripts.site.drawn.strip import Strip, drawn_strip, shares_strip

DECIDED = ("losing", "winning")

CLIENT_COLUMNS = ("service", "arrived_packets", "dropped_packets", "wire_rate_mbps", "window_s")
"""The columns of `trial_services` that the example shows of each client."""


@dataclass(frozen=True)
class ValidShare(ClientRow):
    """A row of trial_fairness with a share."""

    share: float


@dataclass(frozen=True)
class WireRate(ClientRow):
    """A row of trial_services with a rate."""

    wire_rate_mbps: float


def worked_example(inputs: Inputs) -> Row | None:
    """The pair that the method page follows; None if no two different services have a share.

    It is the pair with the lowest share: of those with a loser or a winner, else of all. `sides` are its
    services, that one first, each with its columns of `pairs`, the `strip` of its valid trials and its
    `words`. `trial` is the valid trial in which its share is nearest to the median, and `bar` its link.
    `test` is its row of the table verdicts, if the cycle has one.
    """
    described = described_cells(inputs)
    sides = _sides(inputs, described)
    if not sides:
        return None
    first, shares = sides[0], _shares(inputs, sides[0])
    typical = _typical(shares[first.incumbent], first.share_median or 0.0)
    return {
        "setting": first.setting,
        "pair": first.pair,
        "sides": [
            described[side]
            | {
                "strip": drawn_strip(_strip(side, shares[side.incumbent])),
                "words": VERDICTS.get(str(described[side]["verdict"])),
            }
            for side in sides
        ],
        "trial": _trial(inputs, typical),
        "bar": drawn_bar(_bar(inputs, sides, typical.key)),
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


def _strip(side: PairRow, shares: Sequence[ValidShare]) -> Strip:
    ends = None if side.share_low is None or side.share_high is None else (side.share_low, side.share_high)
    trials = [(row.share, True) for row in shares]
    return shares_strip(trials, side.share_n, side.share_median, ends, side.shown_verdict)


def _bar(inputs: Inputs, sides: Sequence[PairRow], key: TrialKey) -> LinkBar:
    """The link as the services divided it in a trial, below its fair division."""
    rows = inputs.by_trial("trial_services")[key]
    got = {
        row.service: row.wire_rate_mbps
        for row in (inputs.record(row, "trial_services", WireRate) for row in rows)
    }
    one, other = sides
    return link_bar(
        inputs.campaign.settings[one.setting].rate_mbps,
        (inputs.labels.short(one.incumbent), inputs.labels.short(other.incumbent)),
        (None, None),
        (one.allocation_mbps, other.allocation_mbps),
        (got[one.incumbent], got[other.incumbent]),
    )


def _typical(shares: Sequence[ValidShare], median: float) -> ValidShare:
    """The trial in which the share is nearest to the median."""
    return min(shares, key=lambda row: (abs(row.share - median), row.trial))


def _trial(inputs: Inputs, typical: ValidShare) -> Row:
    """A trial with its share and its clients."""
    clients = inputs.by_trial("trial_services")[typical.key]
    return {
        "nn": typical.key.nn,
        "share": typical.share,
        "clients": {str(row["service"]): {name: row[name] for name in CLIENT_COLUMNS} for row in clients},
    }


def _is_of(row: Row, cell: PairRow) -> bool:
    """Whether a row is about the pair of a cell."""
    return (row["setting"], row["pair"]) == (cell.setting, cell.pair)
