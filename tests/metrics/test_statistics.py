"""The exact confidence interval of the median."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.statistics import (
    interval_by_days,
    median_ci,
    quantile_interval,
    sign_p,
    spread_between,
)


@pytest.mark.parametrize(
    ("n", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (10, 2, 9), (20, 6, 15), (30, 10, 21)]
)
def test_bounds_are_the_order_statistics_of_the_binomial_table(n, low, high):
    """At n = 10 the values 2 to 9 cover 1 - 2 (1 + 10) / 2^10 = 97.9 %, the values 3 to 8 only 89 %."""
    assert (low, (n + 1) / 2, high) == median_ci(list(range(1, n + 1)), 0.95)
    tail = sum(math.comb(n, k) for k in range(low)) / 2**n
    assert 1 - 2 * tail >= 0.95


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_below_six_values_there_is_no_interval_of_95_percent(n):
    low, median, high = median_ci([7.0] * n, 0.95)
    assert median == 7
    assert math.isnan(low)
    assert math.isnan(high)


def test_the_order_of_the_values_does_not_matter():
    assert median_ci([9, 4, 5, 1.5, 3, 8], 0.95) == (1.5, 4.5, 9.0)


def test_a_lower_level_needs_fewer_values():
    assert median_ci([1, 2, 3, 4, 5], 0.9) == (1, 3, 5)


@given(st.lists(st.floats(min_value=-1e6, max_value=1e6), min_size=6, max_size=40))
def test_the_interval_contains_the_median_and_its_bounds_are_values(values):
    low, median, high = median_ci(values, 0.95)
    assert low <= median <= high
    assert {low, high} <= set(values)


@pytest.mark.parametrize(
    ("values", "confidence"), [([], 0.95), ([1, math.nan], 0.95), ([1, 2], 0), ([1, 2], 1)]
)
def test_invalid_values_are_rejected(values, confidence):
    with pytest.raises(ValueError, match=r"values|NaN|confidence"):
        median_ci(values, confidence)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_interval_of_a_quantile_covers_it_in_95_percent(p):
    """The bounds enclose the quantile if at least `low` and fewer than `high` of the values are below it."""
    n = 40
    low, high = map(int, quantile_interval(range(1, n + 1), p))
    chances = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert sum(chances[low:high]) >= 0.95
    assert sum(chances[:low]) <= 0.025 < sum(chances[: low + 1])
    assert sum(chances[high:]) <= 0.025 < sum(chances[high - 1 :])


def test_the_90th_percentile_has_an_interval_from_36_values_on():
    assert all(map(math.isnan, quantile_interval([1.0] * 35, 0.9)))
    assert (1.0, 1.0) == quantile_interval([1.0] * 36, 0.9)


@pytest.mark.parametrize("p", [0, 1])
def test_the_smallest_and_the_largest_possible_value_have_no_interval(p):
    with pytest.raises(ValueError, match="quantile"):
        quantile_interval([1.0, 2.0], p)


def test_an_interval_by_days_counts_each_day_once():
    """Twenty values of one day, one of each of nine others: the 2nd to the 9th of ten medians."""
    days = [*range(1, 10), *[10] * 20]
    values = [*map(float, range(1, 10)), *[20.0] * 20]
    assert (2, 20) == interval_by_days(values, days), "the median of all values is 20"
    assert (2, 8) == interval_by_days([*values[:9], *[4.5] * 20], days)


def test_of_five_days_the_interval_is_the_range_of_their_medians():
    values, days = [3, 5, 5, 7, 4, 5, 9], [1, 1, 2, 2, 3, 4, 5]
    assert (4, 9) == interval_by_days(values, days)
    assert all(map(math.isnan, interval_by_days(values[:6], days[:6])))


def test_the_spread_between_groups_by_hand():
    """Means 2 and 6, two values each: mean squares 16 between and 2 within, so (16 - 2) / 2."""
    assert pytest.approx((math.sqrt(7), math.sqrt(2))) == spread_between([1, 3, 5, 7], ["x", "x", "y", "y"])
    assert pytest.approx((0, math.sqrt(2))) == spread_between([1, 3, 1, 3], ["x", "x", "y", "y"])


def test_one_group_or_one_value_a_group_tells_nothing_between_groups():
    between, within = spread_between([1, 3], ["x", "x"])
    assert math.isnan(between)
    assert pytest.approx(math.sqrt(2)) == within
    assert all(map(math.isnan, spread_between([1, 3], ["x", "y"])))


def test_the_sign_test_by_hand():
    """Five of six heads or more, on either side: 2 (6 + 1) / 64."""
    assert pytest.approx(14 / 64) == sign_p(5, 1) == sign_p(1, 5)
    assert 1 == sign_p(3, 3)
    assert math.isnan(sign_p(0, 0))
