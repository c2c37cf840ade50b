"""The exact rank-sum test of Wilcoxon, Mann and Whitney, the effect that it sees, and shifts with intervals.

Every probability is that of the permutation test: each split of all values into two samples of these sizes is
as likely as any other. Ties are exact too: equal values get their mean rank.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Sample = NDArray[np.float64]


def rank_sum_p(before: Sequence[float], after: Sequence[float]) -> float:
    """Two-sided p of the rank-sum test: whether two samples come from the same distribution.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit.

    Returns:
        p, in (0, 1]: twice the probability of a rank sum of `after` as extreme as this one on the same side.

    Raises:
        ValueError: a sample is empty or has a value that is not finite.

    Source: Mann and Whitney 1947; with ties: Lehmann, Nonparametrics, 1.4 (midranks).
    """
    return _p_of(_checked(before), _checked(after))


def superiority(before: Sequence[float], after: Sequence[float]) -> float:
    """Probability that a value drawn from `after` is larger than one drawn from `before`; ties count half.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit.

    Returns:
        A value in [0, 1]: 0.5 means no difference, 1 means that every value of `after` is larger.

    Raises:
        ValueError: a sample is empty or has a value that is not finite.

    Source: Vargha and Delaney 2000, the measure of stochastic superiority A.
    """
    first, second = _checked(before), _checked(after)
    differences = second[:, np.newaxis] - first[np.newaxis, :]
    larger, equal = int((differences > 0).sum()), int((differences == 0).sum())
    return (2 * larger + equal) / (2 * differences.size)


def smallest_p(before_n: int, after_n: int) -> float:
    """The smallest p that `rank_sum_p` can give for samples of these sizes: that of two samples apart.

    Raises:
        ValueError: a size is below 1.
    """
    if min(before_n, after_n) < 1:
        raise ValueError(f"a sample has at least one value: {before_n} and {after_n}")
    return min(1.0, 2 / math.comb(before_n + after_n, after_n))


def smallest_shift(before: Sequence[float], after: Sequence[float], level: float) -> float:
    """The smallest effect that `rank_sum_p` would have seen between two samples that vary as these do.

    Both samples are moved to the same median. Then one of them is shifted, up and down.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit.
        level: a p below it counts as seen, in (0, 1].

    Returns:
        A shift in the unit of the samples, >= 0: every larger one gives a p below the level, in either
        direction. NaN if the samples are too small for any such p.

    Raises:
        ValueError: a sample is empty or has a value that is not finite.
    """
    first, second = _checked(before), _checked(after)
    if smallest_p(first.size, second.size) >= level:
        return math.nan
    first, second = first - np.median(first), second - np.median(second)
    return max(_smallest_rise(first, second, level), _smallest_rise(-first, -second, level))


def shift_interval(
    before: Sequence[float], after: Sequence[float], confidence: float
) -> tuple[float, float, float]:
    """The shift from one sample to the other, with its exact confidence interval.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit.
        confidence: the level, in (0, 1).

    Returns:
        (low, shift, high). The shift is the median of all differences of a value of `after` and one of
        `before` (Hodges and Lehmann). Both bounds are such differences. Both are NaN if the samples are too
        small for the level.

    Raises:
        ValueError: a sample is empty or has a value that is not finite, or the confidence is not in (0, 1).

    Source: Hollander and Wolfe, Nonparametric Statistical Methods, 4.2 and 4.3 (Moses' interval).
    """
    first, second = _checked(before), _checked(after)
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence must be in (0, 1), not {confidence}")
    differences = np.sort(np.subtract.outer(second, first), axis=None)
    shift = float(np.median(differences))
    place = _extreme_values_of_u(first.size, second.size, (1 - confidence) / 2)
    if place == 0:
        return math.nan, shift, math.nan
    return float(differences[place - 1]), shift, float(differences[-place])


def _extreme_values_of_u(before_n: int, after_n: int, tail: float) -> int:
    """How many of the values 0, 1, 2, … of the Mann-Whitney U are together at most as probable as `tail`."""
    ranks = 2 * np.arange(1, before_n + after_n + 1)
    splits = _splits(tuple(ranks.tolist()), after_n)[after_n * (after_n + 1) :: 2]
    cumulated = np.cumsum(splits) / math.comb(before_n + after_n, after_n)
    return int(np.searchsorted(cumulated, tail * (1 + 1e-12), side="right"))


def _smallest_rise(before: Sample, after: Sample, level: float) -> float:
    """The smallest shift upwards of `after`, at least 0, above which p is below the level; there is one."""
    differences = np.subtract.outer(before, after).ravel()
    steps = np.unique(np.append(differences[differences > 0], 0.0))
    # Between two steps the order of the values stays the same.
    between = np.append((steps[:-1] + steps[1:]) / 2, steps[-1] + 1)
    step = bisect_left(
        range(between.size - 1), True, key=lambda step: _p_of(before, after + between[step]) < level
    )
    return float(steps[step])


def _p_of(before: Sample, after: Sample) -> float:
    """Two-sided p of two checked samples."""
    from scipy.stats import rankdata  # takes most of a second, and who shifts samples needs none of it

    doubled = np.rint(2 * rankdata(np.concatenate([before, after]))).astype(np.int64)
    splits = _splits(tuple(np.sort(doubled).tolist()), after.size)
    rank_sum = int(doubled[before.size :].sum())
    # math.fsum rounds once, in the same way on every machine.
    tail = min(math.fsum(splits[: rank_sum + 1]), math.fsum(splits[rank_sum:]))
    return min(1.0, 2 * tail / math.comb(doubled.size, after.size))


@lru_cache(maxsize=256)
def _splits(doubled_ranks: tuple[int, ...], chosen: int) -> Sample:
    """How many choices of `chosen` of these ranks have each sum, from 0 on.

    Ranks are doubled so that mean ranks are whole numbers. Counts are exact up to 2^53, and then precise to a
    float's 16 digits. Cached: without ties the result depends only on the sizes of the samples.
    """
    counts = np.zeros((chosen + 1, sum(doubled_ranks) + 1))
    counts[0, 0] = 1
    for rank in doubled_ranks:
        counts[1:, rank:] += counts[:-1, : counts.shape[1] - rank].copy()
    total: Sample = counts[chosen]
    return total


def _checked(values: Sequence[float]) -> Sample:
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("a sample must not be empty, and all its values must be finite")
    return sample
