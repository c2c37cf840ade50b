"""Intervals of what is made from the medians of two samples: of their difference and their ratio.

Both samples are resampled, because both have scattered. A rank-sum test would not do: if the smaller sample
scatters more, it finds a difference between equal medians too often.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scripts.metrics.fairness import FEWEST

Sample = NDArray[np.float64]

RESAMPLES = 2000


def difference_interval(
    before: Sequence[float], after: Sequence[float], confidence: float
) -> tuple[float, float]:
    """The interval of the difference between the medians of two samples.

    Args:
        before: values of one sample, in any order and unit.
        after: values of the other, in the same unit. Values of one of both samples may be infinite: larger
            than was measured.
        confidence: the level, in (0, 1).

    Returns:
        (low, high) of the median of `after` minus that of `before`, in the unit of the samples; infinite if
        they depend on an infinite value. Both are NaN if a sample has fewer than 6 values.

    Raises:
        ValueError: a value is NaN, both samples have infinite values, or the confidence is not in (0, 1).

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 8.2 (two samples) and 13.3 (percentiles).
    """
    return _interval(before, after, np.subtract, confidence)


def ratio_interval(before: Sequence[float], after: Sequence[float], confidence: float) -> tuple[float, float]:
    """The interval of the ratio of the medians of two samples.

    Args:
        before: values > 0 of one sample, in any order and unit.
        after: values > 0 of the other; otherwise as for `difference_interval`.
        confidence: the level, in (0, 1).

    Returns:
        (low, high) of the median of `after` over that of `before`; otherwise as `difference_interval`.

    Raises:
        ValueError: a value is not above 0, or as for `difference_interval`.

    Source: as difference_interval.
    """
    if not all(value > 0 for value in (*before, *after)):
        raise ValueError("a ratio needs values above 0")
    return _interval(before, after, np.divide, confidence)


def _interval(
    before: Sequence[float],
    after: Sequence[float],
    compare: Callable[[Sample, Sample], Sample],
    confidence: float,
) -> tuple[float, float]:
    first, second = _checked(before), _checked(after)
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence must be in (0, 1), not {confidence}")
    if np.isinf(first).any() and np.isinf(second).any():
        raise ValueError("only one sample may have infinite values")
    if min(first.size, second.size) < FEWEST:
        return np.nan, np.nan
    found = np.sort(compare(_medians(second, 1), _medians(first, 0)))
    outside = round(RESAMPLES * (1 - confidence) / 2)
    return float(found[outside]), float(found[-1 - outside])


def _medians(sample: Sample, seed: int) -> Sample:
    """The medians of the resamples of a sample."""
    medians: Sample = np.median(sample[_places(sample.size, seed)], axis=1)
    return medians


@lru_cache(maxsize=64)
def _places(size: int, seed: int) -> NDArray[np.intp]:
    """The places that the resamples of `size` values take, the same for all samples of this size."""
    return np.random.default_rng([size, seed]).integers(size, size=(RESAMPLES, size))


def _checked(values: Sequence[float]) -> Sample:
    sample = np.asarray(values, dtype=np.float64)
    if np.isnan(sample).any():
        raise ValueError("a value is NaN")
    return np.sort(sample)
