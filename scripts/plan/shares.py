"""What the trials of a pair say about its shares so far, by the definitions of the tables.

A share is the wire rate over the max-min fair allocation, as in trial_fairness. The demand of a service is
that of the table solo (scripts/tables/solo.sql), from its trials alone so far. Here its interval is by
trials. That of the table is by days from five days on, and may be wider.
"""

import math
import statistics
from collections.abc import Collection, Sequence

from scripts.metrics.fairness import LEVEL, LOSING_BELOW, WINNING_ABOVE, max_min_fair_rates
from scripts.metrics.signed_rank import signed_rank_p
from scripts.metrics.statistics import median_ci
from scripts.model.caps import wire_cap_mbps
from scripts.model.services import Service
from scripts.plan.trial_services import TrialService

NEARLY_FULL = 0.95
"""A rate from this part of the capacity on is no limit of the service."""


def demand_mbps(service: Service, rate_mbps: float, alone: Collection[TrialService]) -> float:
    """The wire rate that a service would use alone.

    Args:
        service: the service.
        rate_mbps: the rate of the link.
        alone: trial_services of its trials alone so far.

    Returns:
        Its limit in the catalogue; without one, the median of its valid trials alone if their interval (or
        without interval, all of them) is below 95 % of the rate. Else infinite: no limit is known.
    """
    if not alone:
        return math.inf
    cap = wire_cap_mbps(service)
    if cap is not None:
        return cap if cap < NEARLY_FULL * rate_mbps else math.inf
    rates = [row.wire_rate_mbps for row in alone if row.valid and row.wire_rate_mbps is not None]
    if not rates:
        return math.inf
    _low, median, high = median_ci(rates)
    highest = max(rates) if math.isnan(high) else high
    return median if highest < NEARLY_FULL * rate_mbps else math.inf


def is_unproven(
    rows: Collection[TrialService], rate_mbps: float, demands_mbps: Sequence[float], pairs: int
) -> bool:
    """Whether a service of a pair seems to lose or to win, and the trials do not prove that shares differ.

    Args:
        rows: trial_services of the valid trials of a pair of two different services.
        rate_mbps: the rate of the link.
        demands_mbps: what each of its services would use alone, in the order of their names.
        pairs: the number of pairs that are compared in the setting.

    Returns:
        True if a median share is more than 10 % from fair, and p of the signed-rank test (table verdicts) is
        above 5 % / pairs.
    """
    allocations = max_min_fair_rates(rate_mbps, demands_mbps)
    by_trial: dict[int, dict[str, float]] = {}
    for row in rows:
        if row.wire_rate_mbps is not None:
            by_trial.setdefault(row.trial, {})[row.service] = row.wire_rate_mbps
    rates = [[of[name] for name in sorted(of)] for of in by_trial.values() if len(of) == 2]
    if not rates or min(allocations) == 0:
        return False
    one, other = ([pair[place] / allocations[place] for pair in rates] for place in (0, 1))
    medians = statistics.median(one), statistics.median(other)
    if all(LOSING_BELOW <= median <= WINNING_ABOVE for median in medians):
        return False
    return signed_rank_p([a - b for a, b in zip(one, other, strict=True)]) > LEVEL / pairs
