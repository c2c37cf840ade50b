"""The rounds of a cycle that has not begun: the fewest trials that it may need, and the most.

At least: every trial is valid, every pair closes after its first round, and every load of a web page ends at
once. At most: every attempt is used, one in each round after the first, and every load takes its limit.
"""

from collections.abc import Callable, Sequence
from functools import partial

from scripts.model.campaign import Campaign
from scripts.model.durations import duration_s as longest_s
from scripts.model.durations import shortest_s
from scripts.model.plan_file import PlanLine
from scripts.plan.planner import Cell, cells, in_turns, quota_of

Round = list[PlanLine]


def least_rounds(campaign: Campaign) -> list[Round]:
    """The one round of a cycle if every trial is valid and every pair closes after it."""
    return [_round(campaign, 1, lambda cell: range(1, quota_of(campaign, cell.pair).batch + 1), shortest_s)]


def most_rounds(campaign: Campaign) -> list[Round]:
    """The rounds of a cycle if every attempt is used, and each round after the first reruns one trial."""
    quotas = [
        quota_of(campaign, cell.pair) for cell in cells(campaign, [*campaign.services, *campaign.pairs])
    ]
    reruns = max((quota.attempts - quota.batch for quota in quotas), default=0)
    return [
        _round(campaign, number, partial(_attempts, campaign, number), longest_s)
        for number in range(1, 2 + reruns)
    ]


def _attempts(campaign: Campaign, number: int, cell: Cell) -> Sequence[int]:
    """The numbers of a cell's trials in a round of the longest cycle."""
    quota = quota_of(campaign, cell.pair)
    if number == 1:
        return range(1, quota.batch + 1)
    attempt = quota.batch + number - 1
    return [attempt] if attempt <= quota.attempts else []


def _round(
    campaign: Campaign,
    number: int,
    numbers_of: Callable[[Cell], Sequence[int]],
    trial_s: Callable[[Campaign, str], int],
) -> Round:
    keys = in_turns(campaign, numbers_of)
    return [PlanLine(order, number, key, trial_s(campaign, key.pair)) for order, key in enumerate(keys, 1)]
