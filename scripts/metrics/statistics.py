"""Statistics of small samples."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray


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


FEWEST_DAYS = 5
"""Over so many days, and more, the interval of a median is by days."""


def interval_by_days(
    values: Sequence[float], days: Sequence[Hashable], confidence: float = 0.95
) -> tuple[float, float]:
    """A confidence interval of the median of values that are alike within a day.

    Values of one day share that day, so ten of them may tell little more than one. The interval is that of
    the median of the days' own medians, each of which counts once. It is wide enough to contain the median
    of all values. Of five days it is the range of their medians, which has 93.75 %.

    Args:
        values: the trials' values, in any order.
        days: the day of each value.
        confidence: the level, in (0, 1), from six days on.

    Returns:
        (low, high). Both are NaN below five days.

    Raises:
        ValueError: there are not as many days as values, a value is NaN, or the confidence is not in (0, 1).

    Source: as median_ci; one summary a cluster: Donner and Klar, Cluster Randomization Trials, 2000.
    """
    medians = [float(np.median(of_day)) for of_day in _groups(values, days)]
    if len(medians) < FEWEST_DAYS:
        return math.nan, math.nan
    low, high = min(medians), max(medians)
    if len(medians) > FEWEST_DAYS:
        low, high = quantile_interval(medians, 0.5, confidence)
    median = float(np.median(values))
    return min(low, median), max(high, median)


def spread_between(values: Sequence[float], groups: Sequence[Hashable]) -> tuple[float, float]:
    """How far groups of values differ beyond what the scatter within them explains, and that scatter.

    The variance of a value is taken as that of its group plus that within the group. Both follow from the
    mean squares of a one-way analysis of variance. A negative estimate for groups counts as 0.

    Args:
        values: the trials' values, in any order.
        groups: the group of each value, such as its day or its host.

    Returns:
        (between, within): standard deviations in the unit of the values. `between` is NaN for fewer than two
        groups, `within` where no group has two values; then `between` is NaN too.

    Raises:
        ValueError: there are not as many groups as values.

    Source: Searle, Casella and McCulloch, Variance Components, 1992, chapter 3 (groups of unequal sizes).
    """
    of_groups = _groups(values, groups)
    free = len(values) - len(of_groups)
    if free == 0:
        return math.nan, math.nan
    within = math.fsum(float(np.var(group)) * group.size for group in of_groups) / free
    if len(of_groups) < 2:
        return math.nan, math.sqrt(within)
    mean = math.fsum(values) / len(values)
    squares = math.fsum(group.size * (float(group.mean()) - mean) ** 2 for group in of_groups)
    size = (len(values) - sum(group.size**2 for group in of_groups) / len(values)) / (len(of_groups) - 1)
    between = (squares / (len(of_groups) - 1) - within) / size
    return math.sqrt(max(between, 0)), math.sqrt(within)


def sign_p(more: int, less: int) -> float:
    """Two-sided p of the sign test: whether one of two equals is ahead as often as the other.

    Args:
        more: how often the first is ahead, >= 0.
        less: how often the second is; ties count in neither.

    Returns:
        p, in (0, 1]; NaN if neither is ever ahead.

    Source: Conover, Practical Nonparametric Statistics, 3.4, as scipy.stats.binomtest computes it.
    """
    from scipy.stats import binomtest  # as below

    return math.nan if more + less == 0 else float(binomtest(more, more + less).pvalue)


def _groups(values: Sequence[float], groups: Sequence[Hashable]) -> list[NDArray[np.float64]]:
    """The values of each group, sorted, in the order of the groups."""
    found: dict[Hashable, list[float]] = defaultdict(list)
    for value, group in zip(values, groups, strict=True):
        found[group].append(value)
    return [np.sort(np.asarray(found[group], dtype=np.float64)) for group in sorted(found, key=str)]


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
