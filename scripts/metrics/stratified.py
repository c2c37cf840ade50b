"""Two samples compared within strata: the rank-sum test of van Elteren, and the shift that belongs to it.

A stratum is what makes values comparable, such as the contender. Its weight is 1 / (values + 1), with which
the test has the most power against a shift that is the same in all strata. Its probabilities are those of the
normal approximation, with the exact variance, also with ties.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from scripts.metrics.rank_sum import Sample

MARGIN = 0.1
"""The largest shift that does not matter, as a fraction of what was got before. Shares lose beyond it too."""

Strata = Sequence[Sequence[float]]
"""The values of one sample, for each stratum."""


def stratified_p(before: Strata, after: Strata, shift: float = 0.0) -> float:
    """Two-sided p of van Elteren's test: whether `after` is `before` shifted by the same amount everywhere.

    Args:
        before: the values of one sample in each stratum, in any unit.
        after: those of the other, in the same unit and order of strata.
        shift: the amount.

    Returns:
        p, in [0, 1]; 1 if all values of every stratum are equal.

    Raises:
        ValueError: there are no strata, their numbers differ, or a sample is empty or not finite.

    Source: van Elteren 1960, On the combination of independent two-sample tests of Wilcoxon; with ties:
    Lehmann, Nonparametrics, 3.3.
    """
    from scipy.stats import rankdata  # takes most of a second, and pages need the margin alone

    statistic = variance = 0.0
    for first, second in _checked(before, after):
        ranks = rankdata(np.concatenate([first, second - shift]))
        size, weight = ranks.size, 1 / (ranks.size + 1)
        statistic += weight * float(ranks[first.size :].sum() - second.size * (size + 1) / 2)
        squares = float(((ranks - (size + 1) / 2) ** 2).sum())
        variance += weight**2 * first.size * second.size * squares / (size * (size - 1))
    if variance == 0:
        return 1.0
    return math.erfc(abs(statistic) / math.sqrt(2 * variance))


def stratified_shift(before: Strata, after: Strata, confidence: float) -> tuple[float, float, float]:
    """The shift that all strata have in common, with its confidence interval.

    Args:
        before: the values of one sample in each stratum, in any unit.
        after: those of the other, in the same unit and order of strata.
        confidence: the level, in (0, 1).

    Returns:
        (low, shift, high). The shift is the weighted median of all differences of two values of a stratum:
        moved by it, `after` gives the statistic 0. The interval has every
        amount that the test does not reject. Its bounds are NaN if there are too few values for the level.

    Raises:
        ValueError: as in stratified_p, or the confidence is not in (0, 1).

    Source: Hodges and Lehmann 1963, with the weights of van Elteren 1960.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence must be in (0, 1), not {confidence}")
    strata = _checked(before, after)
    sizes = np.array([first.size * second.size for first, second in strata])
    totals = np.array([first.size + second.size for first, second in strata])
    differences = np.concatenate([np.subtract.outer(second, first).ravel() for first, second in strata])
    order = np.argsort(differences, kind="stable")
    differences, weights = differences[order], np.repeat(1 / (totals + 1), sizes)[order]
    half, spread = float(weights.sum()) / 2, math.sqrt(float((sizes / (12 * (totals + 1))).sum()))
    rejected = half - NormalDist().inv_cdf((1 + confidence) / 2) * spread
    upwards, downwards = np.cumsum(weights), np.cumsum(weights[::-1])
    middle = (_first_above(upwards, half, differences) + _first_above(downwards, half, differences[::-1])) / 2
    if rejected <= 0:
        return math.nan, middle, math.nan
    low = _first_above(upwards, rejected, differences)
    return low, middle, _first_above(downwards, rejected, differences[::-1])


def _first_above(cumulated: Sample, bound: float, values: Sample) -> float:
    """The first value up to which the cumulated weight is above a bound, or equal to it but for rounding."""
    return float(values[np.searchsorted(cumulated, bound * (1 - 1e-12))])


def _checked(before: Strata, after: Strata) -> list[tuple[Sample, Sample]]:
    if len(before) == 0 or len(before) != len(after):
        raise ValueError(f"both samples must have the same strata: {len(before)} and {len(after)}")
    strata = [
        (np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64))
        for first, second in zip(before, after, strict=True)
    ]
    for first, second in strata:
        if not (first.size and second.size and np.isfinite(first).all() and np.isfinite(second).all()):
            raise ValueError("a sample must not be empty, and all its values must be finite")
    return strata
