"""The drawings of a pair that are no series: the link, one side swapped, alone against together."""

from collections.abc import Iterable
from itertools import product

from scripts.charts.table_rows import page_of
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SHARE, Figure
from scripts.model.campaign import Campaign
from scripts.model.pairs import contender_name, members
from scripts.site import Row
from scripts.site.cycle.cell_series import parties
from scripts.site.cycle.inputs import Inputs, PairKey
from scripts.site.drawn.strip import Strip, StripDot, cell_strip, drawn_strip
from scripts.site.story.worst_pair import Known, drawn_link

BESIDE = ("throughput_mbps", "loss_rate", "queueing_delay_ms")
"""What the link does to a service."""

ALONE = ""


def link_of(inputs: Inputs, known: Known, cell: PairKey, sides: Iterable[Row]) -> Row | None:
    """The link as a bar (scripts/site/drawn/link_bar.py); None unless two clients have both a share."""
    setting, pair = cell
    named = [(str(side["incumbent"]), str(side["contender"]), str(side["instance"])) for side in sides]
    if len(named) != 2 or len(members(pair)) != 2:
        return None
    rate_mbps = float(inputs.campaign.settings[setting].rate_mbps)
    return drawn_link(known, setting, rate_mbps, named, inputs.labels.short)


def swaps_of(inputs: Inputs, known: Known, cell: PairKey, loser: str) -> list[Row]:
    """The share of a service, and what it is if one side or both are a plain flow of its congestion control.

    Args:
        inputs: the cycle.
        known: its figures.
        cell: the setting and the pair.
        loser: the service of the pair whose share is looked at.

    Returns:
        The pair itself and each swapped one that was measured, as rows of strip-rows.html: `sub` says what is
        swapped. Empty if there is nothing to compare with.
    """
    setting, pair = cell
    services = members(pair)
    if len(services) != 2 or services[0] == services[1]:
        return []
    other = next(name for name in services if name != loser)
    mine, others = (dict.fromkeys((name, _plain_flow(inputs.campaign, name))) for name in (loser, other))
    short = inputs.labels.short
    swaps: list[Row] = []
    for service, contender in product(mine, others):
        share = known.get((setting, service or "", contender or "", "first", SHARE))
        if share is not None and share.median is not None:
            sides = ((loser, share.service), (other, share.contender))
            swapped = [f"{short(old)} → {short(new)}" for old, new in sides if old != new]
            strip = drawn_strip(cell_strip(share, ()))
            swaps.append(
                {
                    "title": f"{short(share.service)} against {short(share.contender)}",
                    "sub": "both plain" if len(swapped) > 1 else "".join(swapped) or "this pair",
                    "cells": [{"page": page_of(share.setting, share.pair), "strip": strip}],
                }
            )
    return swaps if len(swaps) > 1 else []


def _plain_flow(campaign: Campaign, name: str) -> str | None:
    """The service that is one TCP flow with the congestion control of another one, and nothing else."""
    cca = campaign.services[name].cca
    for service in campaign.services.values():
        if (
            service.driver == "iperf"
            and service.cca == cca
            and service.flows in (None, 1)
            and not service.bitrate_mbps
        ):
            return service.name
    return None


def beside_of(known: Known, cell: PairKey) -> list[Row]:
    """What each service gets alone and together: rows of strip-rows.html by metric, a cell for each party.

    The strips of a row have one scale, from 0. A metric without any value is left out.
    """
    setting, pair = cell
    services, every = members(pair), parties(pair)
    rows: list[Row] = []
    for metric in BESIDE:
        figures = []
        for party in every:
            others = list(services)
            others.remove(party.service)
            together = (setting, party.service, contender_name(others), party.instance, metric)
            alone = (setting, party.service, ALONE, "first", metric)
            figures.append((known.get(alone), known.get(together)))
        values = [
            figure.median
            for both in figures
            for figure in both
            if figure is not None and figure.median is not None
        ]
        if any(together is not None and together.median is not None for _alone, together in figures):
            look = CATALOGUE[metric]
            cells = [_changed(alone, together, 1.05 * max(values) or 1.0) for alone, together in figures]
            rows.append({"title": f"{look.name}, {look.shown_unit}", "cells": cells})
    return rows


def _changed(alone: Figure | None, together: Figure | None, top: float) -> Row | None:
    """A line where a service was alone, and a dot where it is together with the other one."""
    if together is None or together.median is None:
        return None
    before = None if alone is None else alone.median
    strip = Strip(
        number=f"{_number(alone)} → {_number(together)}",
        words=f"n\u00a0=\u00a0{together.n}",
        dots=(StripDot(together.median),),
        median=before,
        moved=None if before is None else (before, together.median),
        high=top,
    )
    return {"strip": drawn_strip(strip)}


def _number(figure: Figure | None) -> str:
    if figure is None or figure.median is None:
        return "–"
    look = CATALOGUE[figure.figure]
    return f"{figure.median * look.factor:,.{look.decimals}f}"


def strip_of_trials(values: Iterable[tuple[float, bool]], rate: Figure, capacity_mbps: float) -> Row:
    """The strip of a service alone: its rate on the wire in each trial, from 0 to the rate of the link.

    Args:
        values: the rate of each trial, and whether it counts.
        rate: the median rate.
        capacity_mbps: the rate of the link.
    """
    dots = tuple(StripDot(value, hollow=not counts) for value, counts in values)
    ends = None if rate.low is None or rate.high is None else (rate.low, rate.high)
    return drawn_strip(Strip("", dots=dots, median=rate.median, interval=ends, high=capacity_mbps))
