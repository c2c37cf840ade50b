"""Comparison of two samples: tests, effect size, and the correction for many tests."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu


def mann_whitney(before: Sequence[float], after: Sequence[float]) -> float:
    """Two-sided p value of the Mann-Whitney U test for two samples of the same distribution.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit.

    Returns:
        p, in (0, 1]. It is exact if no value occurs twice and one sample has at most 8 values, otherwise the
        normal approximation with continuity and tie correction.

    Raises:
        ValueError: a sample is empty or has a value that is not finite.

    Source: Mann and Whitney 1947, as scipy.stats.mannwhitneyu computes it. The test of Brunner and Munzel is
    no alternative for a handful of trials: it gives p = 0 for the smallest samples that do not overlap.
    """
    first, second = _checked(before), _checked(after)
    return float(mannwhitneyu(first, second, alternative="two-sided", method="auto").pvalue)


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


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected for multiple tests: all tests together have the false alarm rate of a single one.

    Args:
        p_values: one for each test, each in [0, 1], in any order.

    Returns:
        The corrected values in the same order, each at least its original value and at most 1.

    Raises:
        ValueError: a value is not in [0, 1].

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"a p value must be in [0, 1]: {list(p_values)}")
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected


def _checked(values: Sequence[float]) -> NDArray[np.float64]:
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("a sample must not be empty, and all its values must be finite")
    return sample
