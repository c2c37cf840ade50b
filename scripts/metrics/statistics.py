"""Statistics of small samples."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np


def median_ci(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float, float]:
    """The median and its exact, distribution-free confidence interval from binomial order statistics.

    Args:
        values: the trials' values, in any order.
        confidence: the level, in (0, 1).

    Returns:
        (low, median, high). Both bounds are values of the sample. Both are NaN if even the smallest and the
        largest value do not reach the level; at 95 % this is so for fewer than 6 values.

    Raises:
        ValueError: there are no values, one is NaN, or the confidence is not in (0, 1).

    Source: Conover, Practical Nonparametric Statistics, 3.2, as scipy.stats.quantile_test computes it.
    Prudentia (SIGCOMM 2024), 3.4, uses the 95 % interval of the median.
    """
    low, high = quantile_interval(values, 0.5, confidence)
    return low, float(np.median(values)), high


def quantile_interval(values: Sequence[float], p: float, confidence: float = 0.95) -> tuple[float, float]:
    """The exact, distribution-free confidence interval of a quantile from binomial order statistics.

    Args:
        values: the sample, in any order.
        p: the quantile, in (0, 1); 0.9 is the 90th percentile.
        confidence: the level, in (0, 1).

    Returns:
        (low, high), both values of the sample. Both are NaN if the smallest or the largest value does not
        reach the level; at 95 % this is so for fewer than 6 values (p = 0.5) or 36 values (p = 0.9).

    Raises:
        ValueError: there are no values, one is NaN, or p or the confidence is not in (0, 1).

    Source: as median_ci.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        raise ValueError("there are no values")
    if np.isnan(sample).any():
        raise ValueError("a value is NaN")
    if not 0 < p < 1:
        raise ValueError(f"the quantile must be in (0, 1), not {p}")
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence must be in (0, 1), not {confidence}")
    places = _places(sample.size, p, confidence)
    if places is None:
        return math.nan, math.nan
    low, high = np.partition(sample, places)[list(places)]
    return float(low), float(high)


@cache
def _places(n: int, p: float, confidence: float) -> tuple[int, int] | None:
    """The places of the ends of an interval among n sorted values; None if there is no interval.

    They do not depend on the values, and SciPy takes a millisecond.
    """
    from scipy.stats import quantile_test  # takes most of a second, and a plan seldom needs it

    interval = quantile_test(np.arange(n), p=p).confidence_interval(confidence)
    if math.isnan(interval.low) or math.isnan(interval.high):
        return None
    return int(interval.low), int(interval.high)
