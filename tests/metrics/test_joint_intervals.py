"""The intervals of the difference and of the ratio of two medians."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.joint_intervals import difference_interval, ratio_interval

AMOUNTS = st.lists(st.integers(min_value=1, max_value=1000), min_size=6, max_size=12)
INF = math.inf


def test_constants_have_exact_differences_and_ratios():
    assert (5, 5) == difference_interval([2] * 6, [7] * 8, 0.95)
    assert (3.5, 3.5) == ratio_interval([2] * 6, [7] * 8, 0.95)


def test_with_one_constant_sample_the_ends_are_those_of_the_others_median():
    """Of six values, the median of a resample is below the second one in less than 2.5 % of resamples."""
    low, high = difference_interval([10] * 6, [11, 12, 13, 14, 15, 16], 0.95)
    assert 1 <= low <= 2.5
    assert 4.5 <= high <= 6


@given(AMOUNTS, AMOUNTS)
def test_a_ratio_is_above_one_where_the_difference_is_above_zero(before, after):
    low, high = difference_interval(before, after, 0.95)
    least, most = ratio_interval(before, after, 0.95)
    assert (low > 0, high < 0) == (least > 1, most < 1)
    assert low <= np.median(after) - np.median(before) <= high
    assert (low, high) == difference_interval(before[::-1], after[::-1], 0.95)


@given(AMOUNTS, AMOUNTS, st.integers(min_value=2, max_value=9))
def test_the_unit_scales_a_difference_and_leaves_a_ratio(before, after, factor):
    scaled = [factor * value for value in before], [factor * value for value in after]
    assert pytest.approx(np.array(difference_interval(before, after, 0.95)) * factor) == difference_interval(
        *scaled, 0.95
    )
    assert pytest.approx(ratio_interval(before, after, 0.95)) == ratio_interval(*scaled, 0.95)


def test_below_six_values_there_is_no_interval():
    for few, many in (([1] * 5, [1] * 30), ([1] * 30, [1] * 5), ([], [1] * 6)):
        assert all(map(math.isnan, difference_interval(few, many, 0.95)))
        assert all(map(math.isnan, ratio_interval(few, many, 0.95)))


def test_values_larger_than_measured_leave_the_end_open_that_depends_on_them():
    late = [1, 2, 3, INF, INF, INF]
    low, high = difference_interval([1] * 6, late, 0.95)
    assert (0 <= low < 2, INF) == (True, high)
    low, high = difference_interval(late, [1] * 6, 0.95)
    assert (-INF, True) == (low, -2 < high <= 0)


@pytest.mark.parametrize(
    ("before", "after", "confidence", "reason"),
    [
        ([1] * 6, [math.nan] * 6, 0.95, "NaN"),
        ([INF] * 6, [INF] * 6, 0.95, "only one"),
        ([1] * 6, [1] * 6, 1, "confidence"),
    ],
)
def test_invalid_values_are_rejected(before, after, confidence, reason):
    with pytest.raises(ValueError, match=reason):
        difference_interval(before, after, confidence)


def test_a_ratio_of_zeros_is_rejected():
    with pytest.raises(ValueError, match="above 0"):
        ratio_interval([0] * 6, [1] * 6, 0.95)
