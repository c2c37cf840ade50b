"""Fairness of an allocation of one link's capacity."""

import math
from collections.abc import Sequence


def max_min_fair_rates(capacity: float, demands: Sequence[float]) -> list[float]:
    """Max-min fair allocation of a link by progressive filling.

    Every demand grows at the same pace until it is met or the link is full: nobody can get more without
    somebody who has less losing.

    Args:
        capacity: the link's rate, > 0.
        demands: what each would use alone, in the unit of `capacity`, >= 0; `math.inf` is no limit.

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
        x: what each got, as a part of its due (rate / allocation), >= 0.

    Returns:
        A value in [1/n, 1]: 1 if all are equal, k/n if k of n share equally and the rest get nothing.

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
        x: what each got, as a part of its due (rate / allocation), >= 0.

    Returns:
        The product, 0 if one got nothing; with a fixed sum it is largest if all are equal.

    Raises:
        ValueError: there are no values, or one is negative or not finite.

    Source: RFC 5166, 2.3.1 (the product measure).
    """
    _check(x)
    return math.prod(float(value) for value in x)


def epsilon_fair(x: Sequence[float], epsilon: float) -> bool:
    """Whether an allocation is epsilon-fair: min(x) / max(x) >= 1 - epsilon.

    Args:
        x: what each got, as a part of its due (rate / allocation), >= 0.
        epsilon: the tolerance, in [0, 1]: 0 asks for equal values, 1 allows all.

    Raises:
        ValueError: there are no values, one is negative or not finite, all are 0, or epsilon is not in
            [0, 1].

    Source: RFC 5166, 2.3.1 (epsilon-fairness).
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must be in [0, 1], not {epsilon}")
    largest = _checked_maximum(x)
    return bool(min(x) / largest >= 1 - epsilon)


def _check(x: Sequence[float]) -> None:
    if len(x) == 0:
        raise ValueError("there are no values")
    if not all(0 <= value < math.inf for value in x):
        raise ValueError(f"a value must be at least 0 and finite: {list(x)}")


def _checked_maximum(x: Sequence[float]) -> float:
    _check(x)
    largest = float(max(x))
    if largest == 0:
        raise ValueError("all values are 0: nothing was shared")
    return largest
