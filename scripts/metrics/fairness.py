"""Fairness of services on one link: against their fair share, against each other, against running alone."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

LOSING_BELOW = 0.9
WINNING_ABOVE = 1.1
"""A share within 10 % of the max-min fair allocation is fair. Prudentia (4) uses the same 90 % for losers."""

SETTLED_WITHIN = 0.1
"""A share has settled if the two halves of its steady window differ by at most 10 points of the fair one."""

LEVEL = 0.05
"""The false discovery rate of the verdicts of a setting (Benjamini and Hochberg 1995)."""

FEWEST = 6
"""A verdict needs so many trials: with fewer, a median has no 95 % interval."""

Verdict = Literal["losing", "fair", "winning", "undecided"]


def verdict(
    median: float, low: float, high: float, p_adjusted: float, difference: float, bimodal: bool
) -> Verdict:
    """What the trials of a cell say about its service. The table pairs has the result.

    Args:
        median: the median share, >= 0.
        low: the lower end of its 95 % interval.
        high: the upper end.
        p_adjusted: p of the pair, adjusted over all pairs of the setting.
        difference: the median difference of the service's share and the other one's.
        bimodal: whether the trials have two modes (table stability).

    Returns:
        `losing` or `winning` if the pair's two shares differ, and the median share is beyond 10 % of fair on
        the side of the difference. `fair` if the whole interval is within 10 % of fair and the trials have
        one mode. Everything else is `undecided`.

    Source: Prudentia (SIGCOMM 2024), 4, for the 10 %; Schuirmann 1987 for fairness as equivalence.
    """
    if p_adjusted <= LEVEL and median < LOSING_BELOW and difference < 0:
        return "losing"
    if p_adjusted <= LEVEL and median > WINNING_ABOVE and difference > 0:
        return "winning"
    is_fair = low >= LOSING_BELOW and high <= WINNING_ABOVE and not bimodal
    return "fair" if is_fair else "undecided"


def max_min_fair_rates(capacity: float, demands: Sequence[float]) -> list[float]:
    """Max-min fair allocation of a link by progressive filling.

    All rates grow at the same pace, each until its demand is met, until the link is full. No rate could be
    higher unless a lower or equal one were reduced.

    Args:
        capacity: the link's rate, > 0.
        demands: the rate that each service would use alone, in the unit of `capacity`, >= 0; `math.inf` means
            no limit.

    Returns:
        The rates in the order of the demands, in the same unit.

    Raises:
        ValueError: there are no demands, one is negative or NaN, or the capacity is not a positive number.

    Source: Bertsekas and Gallager, Data Networks, 6.5.2; Prudentia (SIGCOMM 2024), 2.2 and 4.
    """
    if not (0 < capacity < math.inf):
        raise ValueError(f"the capacity must be a positive number, not {capacity}")
    if len(demands) == 0:
        raise ValueError("there are no demands")
    if not all(demand >= 0 for demand in demands):
        raise ValueError(f"a demand must be at least 0: {list(demands)}")
    rates = [0.0] * len(demands)
    left = float(capacity)
    smallest_first = sorted(range(len(demands)), key=demands.__getitem__)
    for met, index in enumerate(smallest_first):
        equal_part = left / (len(demands) - met)
        rates[index] = min(float(demands[index]), equal_part)
        left -= rates[index]
    return rates


def jain(x: Sequence[float]) -> float:
    """Jain's fairness index: (sum of x)^2 / (n * sum of x^2).

    Args:
        x: the rate of each service divided by its allocation, >= 0.

    Returns:
        A value in [1/n, 1]: 1 if all are equal, k/n if k of n are equal and the rest are 0.

    Raises:
        ValueError: there are no values, one is negative or not finite, or all are 0.

    Source: RFC 5166, 2.3.1 (Jain's fairness index).
    """
    largest = _checked_maximum(x)
    scaled = [value / largest for value in x]
    index = math.fsum(scaled) ** 2 / (len(scaled) * math.fsum(value * value for value in scaled))
    return min(index, 1.0)


def product(x: Sequence[float]) -> float:
    """The product measure: x_1 * x_2 * … * x_n.

    Args:
        x: the rate of each service divided by its allocation, >= 0.

    Returns:
        The product. It is 0 if one value is 0. For a fixed sum it is largest if all are equal.

    Raises:
        ValueError: there are no values, or one is negative or not finite.

    Source: RFC 5166, 2.3.1 (the product measure).
    """
    _check(x)
    return math.prod(float(value) for value in x)


def epsilon_fair(x: Sequence[float], epsilon: float) -> bool:
    """Whether an allocation is epsilon-fair: min(x) / max(x) >= 1 - epsilon.

    Args:
        x: the rate of each service divided by its allocation, >= 0.
        epsilon: the tolerance, in [0, 1]: 0 requires equal values, 1 allows any.

    Raises:
        ValueError: there are no values, one is negative or not finite, all are 0, or epsilon is not in
            [0, 1].

    Source: RFC 5166, 2.3.1 (epsilon-fairness).
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must be in [0, 1], not {epsilon}")
    largest = _checked_maximum(x)
    return bool(min(x) / largest >= 1 - epsilon)


def smallest_epsilon(x: Sequence[float]) -> float:
    """The smallest epsilon with which an allocation is epsilon-fair: 1 - min(x) / max(x).

    Args:
        x: the rate of each service divided by its allocation, >= 0.

    Returns:
        A value in [0, 1]: 0 if all are equal, 1 if one is 0.

    Raises:
        ValueError: there are no values, one is negative or not finite, or all are 0.

    Source: RFC 5166, 2.3.1 (epsilon-fairness).
    """
    largest = _checked_maximum(x)
    return 1 - min(x) / largest


def fness(bytes_a: int, bytes_b: int) -> float:
    """Signed unfairness of two flows by their bytes over the shorter flow's time.

    Args:
        bytes_a: bytes received of flow a, >= 0.
        bytes_b: bytes received of flow b, >= 0.

    Returns:
        A value in [-1, 1]: 0 is fair, -1 means that a got everything, 1 that b did. It is 0.5 if b got twice
        as much as a.

    Raises:
        ValueError: a count is negative or not finite, or both are 0.

    Source: Kunze et al. 2020, IV-F.
    """
    _checked_maximum([bytes_a, bytes_b])
    if bytes_b >= bytes_a:
        return 1 - bytes_a / bytes_b  # IV-F, first case
    return -1 + bytes_b / bytes_a  # IV-F, second case


def harm(solo: float, contended: float, more_is_better: bool) -> float:
    """The fraction of a service's solo performance that it loses to a competitor.

    Args:
        solo: the metric without a competitor, >= 0, in any unit.
        contended: the metric with the competitor, >= 0, in the same unit.
        more_is_better: true for metrics such as rates, false for metrics such as delays and losses.

    Returns:
        A value of at most 1: 0 is no harm, 1 is the loss of everything, a negative value is a gain. 0 if both
        metrics are 0.

    Raises:
        ValueError: a value is negative or not finite, or only the divisor is 0. A gain from 0 (more is
            better) or to 0 (less is better) has no ratio.

    Source: Ware et al. 2019 (HotNets), Beyond Jain's Fairness Index: (x - y) / x if more is better,
    (y - x) / y if less is better, with x alone and y with the competitor.
    """
    _check([solo, contended])
    if solo == contended:
        return 0.0
    lost, reference = (solo - contended, solo) if more_is_better else (contended - solo, contended)
    if reference == 0:
        raise ValueError(f"from {solo} alone to {contended} is a gain, which has no ratio")
    return lost / reference


def fmp(
    slot_bytes_a: Sequence[float], slot_bytes_b: Sequence[float], weights: Sequence[float] | None = None
) -> float:
    """K of the Fairness Measurement Procedure: the unfairness of a session; earlier slots have more weight.

    Args:
        slot_bytes_a: bytes of flow a divided by its max-min fair rate O_a (II-B: x_i = T_i / O_i), >= 0, in
            each of the S slots of the time in which both compete. A slot of the paper has 100 ms. The unit
            does not matter; plain bytes mean that both flows are entitled to the same.
        slot_bytes_b: the same of flow b. A slot without any byte counts as fair.
        weights: alpha_1 … alpha_S, >= 0, strictly decreasing, with the sum 1; default: `linear_weights(S)`.

    Returns:
        A value in [-1/2, 1/2]: 0 is fair, -1/2 means that a got everything, 1/2 that b did. The values in
        Table II and Fig. 3 of the paper, and the 0.57 in Fig. 1b, are 1 - |K|.

    Raises:
        ValueError: there are no slots, the lengths differ, a value is negative or not finite, or the weights
            are not as above.

    Source: Corbel et al., Fairness Measurement Procedure, IV-A.
    """
    signed = signed_unfairness(slot_bytes_a, slot_bytes_b)
    alpha = linear_weights(signed.size) if weights is None else weights
    if signed.size != len(alpha):
        raise ValueError(f"the lengths differ: {signed.size} slots and {len(alpha)} weights")
    if weights is not None:
        _check_weights(weights)
    return math.fsum((np.asarray(alpha) * signed).tolist())  # equation (6)


def linear_weights(slots: int) -> list[float]:
    """Weights of a session's slots that decrease linearly: alpha_i = 2 (S - i + 1) / (S (S + 1)).

    Args:
        slots: S, the number of slots, >= 1.

    Returns:
        alpha_1 … alpha_S, > 0, strictly decreasing, with the sum 1.

    Raises:
        ValueError: there are no slots.

    Source: Corbel et al., Fairness Measurement Procedure, IV-A. It requires "a strictly decreasing function
    of i" and gives none; this is the simplest one with the sum 1.
    """
    if slots < 1:
        raise ValueError("there are no slots")
    return [2 * (slots - i + 1) / (slots * (slots + 1)) for i in range(1, slots + 1)]


def signed_unfairness(slot_bytes_a: Sequence[float], slot_bytes_b: Sequence[float]) -> NDArray[np.float64]:
    """d_i (1 - J_i) of every slot of a session.

    Args:
        slot_bytes_a: as for `fmp`.
        slot_bytes_b: likewise.

    Returns:
        A value in [-1/2, 1/2] for each slot; 0 for a slot without any byte.

    Raises:
        ValueError: there are no slots, the lengths differ, or a value is negative or not finite.

    Source: Corbel et al., Fairness Measurement Procedure, IV-A.
    """
    if len(slot_bytes_a) == 0:
        raise ValueError("there are no slots")
    if len(slot_bytes_a) != len(slot_bytes_b):
        raise ValueError(f"the lengths differ: {len(slot_bytes_a)} and {len(slot_bytes_b)} slots")
    a, b = _slots(slot_bytes_a), _slots(slot_bytes_b)
    larger = np.maximum(a, b)
    ratio = np.divide(np.minimum(a, b), larger, out=np.ones_like(larger), where=larger > 0)
    # IV-A: 0 is fair, 1/2 is the worst case. With r = smaller / larger, 1 - J is (1 - r)^2 / (2 (1 + r^2)).
    unfairness: NDArray[np.float64] = (1 - ratio) ** 2 / (2 * (1 + ratio**2))
    return np.sign(b - a) * unfairness  # equation (4)


def _slots(slot_bytes: Sequence[float]) -> NDArray[np.float64]:
    values = np.asarray(slot_bytes, dtype=np.float64)
    if not ((values >= 0) & (values < math.inf)).all():
        raise ValueError("the bytes of a slot must be at least 0 and finite")
    return values


def _check_weights(alpha: Sequence[float]) -> None:
    if not all(earlier > later for earlier, later in pairwise(alpha)) or not alpha[-1] >= 0:
        raise ValueError("the weights must be at least 0 and strictly decreasing")
    if not math.isclose(math.fsum(alpha), 1):
        raise ValueError(f"the weights must have the sum 1, not {math.fsum(alpha)}")


def _check(x: Sequence[float]) -> None:
    if len(x) == 0:
        raise ValueError("there are no values")
    if not all(0 <= value < math.inf for value in x):
        raise ValueError(f"a value must be at least 0 and finite: {list(x)}")


def _checked_maximum(x: Sequence[float]) -> float:
    _check(x)
    largest = float(max(x))
    if largest == 0:
        raise ValueError("all values are 0")
    return largest
