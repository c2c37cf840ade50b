"""Max-min fairness and the indices: values worked by hand, the papers' values, and properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.fairness import (
    epsilon_fair,
    jain,
    max_min_fair_rates,
    product,
    smallest_epsilon,
    verdict,
)

RATES = st.floats(min_value=0, max_value=1e6)
DEMANDS = st.lists(st.one_of(RATES, st.just(math.inf)), min_size=1, max_size=8)
SHARES = st.lists(RATES, min_size=1, max_size=8).filter(lambda x: max(x) > 1e-3)


@pytest.mark.parametrize(
    ("capacity", "demands", "expected"),
    [
        (50, [13, math.inf], [13, 37]),
        (50, [math.inf, 8], [42, 8]),
        (8, [math.inf, math.inf], [4, 4]),
        (8, [13, math.inf], [4, 4]),
        (10, [2, 2.6, 4, 5], [2, 2.6, 2.7, 2.7]),
        (12, [5, 1, math.inf], [5, 1, 6]),
        (12, [1, 2, 3], [1, 2, 3]),
        (9, [math.inf] * 3, [3, 3, 3]),
        (5, [0, math.inf], [0, 5]),
        (5, [7], [5]),
    ],
)
def test_allocations_worked_by_hand_and_of_the_paper(capacity, demands, expected):
    """13 Mbps for YouTube at 50 Mbps leaves 37: Prudentia, 3.2 and 4."""
    assert pytest.approx(expected) == max_min_fair_rates(capacity, demands)


@given(st.floats(min_value=0.1, max_value=1e5), DEMANDS)
def test_no_rate_exceeds_its_demand_and_the_link_is_full_or_all_demands_are_met(capacity, demands):
    rates = max_min_fair_rates(capacity, demands)
    assert all(0 <= rate <= demand for rate, demand in zip(rates, demands, strict=True))
    assert math.fsum(rates) == pytest.approx(min(capacity, math.fsum(demands)))


@given(st.floats(min_value=0.1, max_value=1e5), DEMANDS)
def test_a_service_with_an_unmet_demand_gets_the_highest_rate(capacity, demands):
    """Defines max-min fairness: a service with an unmet demand has the highest rate."""
    rates = max_min_fair_rates(capacity, demands)
    unmet = [rate for rate, demand in zip(rates, demands, strict=True) if rate < demand * (1 - 1e-9)]
    assert all(rate >= max(rates) * (1 - 1e-9) for rate in unmet)


@given(st.floats(min_value=0.1, max_value=1e5), DEMANDS, st.randoms(use_true_random=False))
def test_the_order_of_the_demands_changes_nothing(capacity, demands, random):
    order = list(range(len(demands)))
    random.shuffle(order)
    rates = max_min_fair_rates(capacity, demands)
    shuffled = max_min_fair_rates(capacity, [demands[index] for index in order])
    assert pytest.approx([rates[index] for index in order]) == shuffled


@pytest.mark.parametrize(
    ("capacity", "demands"),
    [
        (50, []),
        (50, [1, -1]),
        (0, [1]),
        (-1, [1]),
        (math.nan, [1]),
        (math.inf, [1]),
        (50, [math.nan]),
    ],
)
def test_allocations_reject_invalid_values(capacity, demands):
    with pytest.raises(ValueError, match=r"must be|no demands"):
        max_min_fair_rates(capacity, demands)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ([1, 1], 1),
        ([1, 0], 0.5),
        ([1, 0, 0, 0], 0.25),
        ([1, 1, 0, 0], 0.5),
        ([1, 3], 16 / 20),
        ([0.16, 1.4], 2.4336 / 3.9712),
        ([5], 1),
        ([1e-200, 1e-200], 1),
        ([1e200, 1e200], 1),
    ],
)
def test_jain_by_hand(x, expected):
    assert pytest.approx(expected) == jain(x)


@given(SHARES)
def test_jain_lies_between_one_nth_and_one(x):
    assert 1 / len(x) - 1e-12 <= jain(x) <= 1


@given(SHARES, st.floats(min_value=1e-3, max_value=1e3))
def test_jain_is_independent_of_the_unit(x, factor):
    assert pytest.approx(jain(x)) == jain([value * factor for value in x])


def test_product_by_hand():
    assert pytest.approx(0.224) == product([0.16, 1.4])
    assert product([0, 1.9]) == 0.0
    assert product([1, 1, 1]) == 1.0


@given(st.floats(min_value=0, max_value=1))
def test_the_product_is_largest_where_both_are_equal(part):
    assert product([2 * part, 2 * (1 - part)]) <= 1 + 1e-12


@pytest.mark.parametrize(
    ("x", "epsilon", "expected"),
    [
        ([9, 10], 0.1, True),
        ([8.9, 10], 0.1, False),
        ([1, 1], 0, True),
        ([1, 1.01], 0, False),
        ([0, 1], 1, True),
        ([0, 1], 0.99, False),
        ([0.9, 1.1, 1], 0.2, True),
    ],
)
def test_epsilon_fairness_by_hand(x, epsilon, expected):
    assert epsilon_fair(x, epsilon) is expected


@pytest.mark.parametrize(("x", "expected"), [([9, 10], 0.1), ([1, 1], 0), ([0, 5], 1), ([0.9, 1.2, 1], 0.25)])
def test_the_smallest_epsilon_by_hand(x, expected):
    assert pytest.approx(expected) == smallest_epsilon(x)


@given(SHARES)
def test_an_allocation_is_epsilon_fair_from_its_smallest_epsilon_on(x):
    epsilon = smallest_epsilon(x)
    assert 0 <= epsilon <= 1
    assert epsilon_fair(x, min(1, epsilon + 1e-9))
    assert epsilon < 1e-9 or not epsilon_fair(x, epsilon - 1e-9)


@pytest.mark.parametrize("measure", [jain, product, smallest_epsilon, lambda x: epsilon_fair(x, 0.1)])
@pytest.mark.parametrize("x", [[], [1, -1], [1, math.nan], [1, math.inf]])
def test_measures_reject_invalid_values(measure, x):
    with pytest.raises(ValueError, match=r"no values|at least 0"):
        measure(x)


@pytest.mark.parametrize("measure", [jain, smallest_epsilon, lambda x: epsilon_fair(x, 0.1)])
def test_a_ratio_of_zeros_is_rejected(measure):
    with pytest.raises(ValueError, match="all values are 0"):
        measure([0, 0])


@pytest.mark.parametrize("epsilon", [-0.1, 1.1, math.nan])
def test_epsilon_is_a_fraction(epsilon):
    with pytest.raises(ValueError, match="epsilon"):
        epsilon_fair([1, 1], epsilon)


@pytest.mark.parametrize(
    ("median", "p", "expected"),
    [
        (0.0, 0.05, "losing"),
        (0.899, 0.05, "losing"),
        (0.899, 0.051, "undecided"),
        (0.9, 0.001, "undecided"),
        (1.1, 0.001, "undecided"),
        (1.101, 0.05, "winning"),
        (1.101, 0.051, "undecided"),
    ],
)
def test_a_loser_has_less_than_90_percent_and_differs_from_the_other_service(median, p, expected):
    assert expected == verdict(median, median - 0.2, median + 0.2, p, median - 1, False)


def test_a_service_that_gets_more_than_the_other_one_does_not_lose_to_it():
    """Both may leave the link idle: then nobody took what one of them lacks."""
    assert "undecided" == verdict(0.8, 0.75, 0.85, 0.001, 0.2, False)
    assert "undecided" == verdict(1.3, 1.2, 1.4, 0.001, -0.2, False)


@pytest.mark.parametrize(
    ("low", "high", "bimodal", "expected"),
    [
        (0.9, 1.1, False, "fair"),
        (0.91, 0.99, False, "fair"),
        (0.91, 0.99, True, "undecided"),
        (0.899, 1.0, False, "undecided"),
        (1.0, 1.101, False, "undecided"),
        (0.5, 1.5, False, "undecided"),
    ],
)
def test_fair_is_an_interval_within_ten_percent_and_one_mode(low, high, bimodal, expected):
    assert expected == verdict((low + high) / 2, low, high, 1.0, 0.0, bimodal)
    assert expected == verdict((low + high) / 2, low, high, 0.001, -0.1, bimodal), "a small real difference"
