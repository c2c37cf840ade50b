"""The exact rank-sum test, against all permutations, SciPy and tables; shifts and their intervals."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, permutation_test, rankdata

from scripts.metrics.rank_sum import rank_sum_p, shift_interval, smallest_p, smallest_shift, superiority

TIED = st.lists(st.integers(0, 5), min_size=1, max_size=6)
DISTINCT = st.lists(st.integers(-1000, 1000), min_size=2, max_size=30, unique=True)
SAMPLES = st.lists(st.integers(0, 50), min_size=1, max_size=12)


def p_of_all_splits(before, after):
    """Twice the smaller tail of the rank sum of `after`, over every choice of its places among all values."""
    ranks = rankdata([*before, *after])
    found = sum(ranks[len(before) :])
    sums = [sum(split) for split in combinations(ranks, len(after))]
    tails = (sum(one <= found for one in sums), sum(one >= found for one in sums))
    return min(1, 2 * min(tails) / len(sums))


def test_two_samples_apart_are_one_of_the_two_extreme_orders():
    assert pytest.approx(2 / 252) == rank_sum_p([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])


def test_equal_samples_do_not_differ():
    assert rank_sum_p([2, 2, 2], [2, 2, 2]) == 1


def test_ten_against_ten_apart_are_seen_in_three_hundred_cells():
    """The normal approximation gives 1.8e-4, and 300 times that is above 0.05."""
    p = rank_sum_p(range(10), range(10, 20))
    assert p == pytest.approx(2 / 184756)
    assert 300 * p < 0.05 < 300 * mannwhitneyu(range(10), range(10, 20), method="asymptotic").pvalue


@given(TIED, TIED)
def test_with_ties_p_is_that_of_all_permutations(before, after):
    assert rank_sum_p(before, after) == pytest.approx(p_of_all_splits(before, after))


def test_with_ties_p_is_that_of_the_permutation_test_of_scipy():
    before, after = [1, 1, 2, 3, 3, 4], [2, 3, 4, 4, 5, 5, 5]

    def rank_sum(one, other):
        return rankdata(np.concatenate([one, other]))[len(one) :].sum()

    expected = permutation_test((before, after), rank_sum, n_resamples=np.inf, vectorized=False).pvalue
    assert rank_sum_p(before, after) == pytest.approx(expected)


@given(DISTINCT, st.data())
def test_without_ties_p_is_that_of_scipy(values, data):
    n = data.draw(st.integers(1, len(values) - 1))
    expected = mannwhitneyu(values[:n], values[n:], method="exact").pvalue
    assert rank_sum_p(values[:n], values[n:]) == pytest.approx(expected)


def test_thirty_against_thirty_are_as_exact():
    random = np.random.default_rng(1)
    before, after = random.normal(0, 1, 30), random.normal(1, 1, 30)
    expected = mannwhitneyu(before, after, method="exact").pvalue
    assert rank_sum_p(before, after) == pytest.approx(expected, rel=1e-9)


@given(TIED, TIED)
def test_p_does_not_depend_on_which_sample_is_first(before, after):
    assert rank_sum_p(before, after) == pytest.approx(rank_sum_p(after, before))


@pytest.mark.parametrize(("before", "after"), [(1, 1), (3, 4), (5, 5), (10, 10), (30, 30)])
def test_the_smallest_p_is_that_of_two_samples_apart(before, after):
    expected = rank_sum_p(range(before), range(before, before + after))
    assert smallest_p(before, after) == pytest.approx(expected, rel=1e-9)


def test_the_smallest_shift_by_hand():
    """Of 4 against 4 only samples apart give p < 0.05: from a shift of 3 on, they are."""
    before, after = [0, 1, 2, 3], [10.1, 11.1, 12.1, 13.1]
    assert smallest_shift(before, after, 0.05) == pytest.approx(3)
    assert math.isnan(smallest_shift(before, after, 0.02))


def test_the_smallest_shift_holds_in_both_directions():
    """Centred: -1, -1, 1, 5 and -1, 0, 0, 1. A rise must exceed 5 - -1, a fall 1 - -1."""
    assert smallest_shift([0, 0, 2, 6], [9, 10, 10, 11], 0.05) == pytest.approx(6)


@given(DISTINCT, DISTINCT)
def test_every_larger_shift_is_seen_and_no_much_smaller_one_is(before, after):
    shift = smallest_shift(before, after, 0.05)
    if math.isnan(shift):
        assert smallest_p(len(before), len(after)) >= 0.05
        return
    first, second = np.subtract(before, np.median(before)), np.subtract(after, np.median(after))
    assert rank_sum_p(first, second + shift + 0.25) < 0.05
    assert rank_sum_p(first, second - shift - 0.25) < 0.05
    below = shift - 0.25
    unseen = max(rank_sum_p(first, second + below), rank_sum_p(first, second - below)) >= 0.05
    assert below < 0 or unseen


def test_samples_without_spread_show_any_shift():
    assert smallest_shift([5.0] * 4, [7.0] * 4, 0.05) == 0


def test_the_interval_of_a_shift_by_the_table():
    """6 against 6 at 90 %: P(U <= 7) = 0.047, P(U <= 8) = 0.066; so the 8th difference from each end."""
    before, after = [0, 1, 2, 3, 4, 5], [10, 20, 30, 40, 50, 60]
    differences = sorted(late - early for late in after for early in before)
    low, shift, high = shift_interval(before, after, 0.9)
    assert (low, high) == (differences[7], differences[-8])
    assert shift == np.median(differences)


@given(DISTINCT, DISTINCT)
def test_the_interval_holds_the_shifts_that_the_test_does_not_reject(before, after):
    low, shift, high = shift_interval(before, after, 0.9)
    assume(not math.isnan(low))
    assert low <= shift <= high
    assert rank_sum_p(before, np.subtract(after, low - 0.25)) <= 0.1 + 1e-9
    assert rank_sum_p(before, np.subtract(after, low + 0.25)) > 0.1
    assert rank_sum_p(before, np.subtract(after, high - 0.25)) > 0.1
    assert rank_sum_p(before, np.subtract(after, high + 0.25)) <= 0.1 + 1e-9


@pytest.mark.parametrize(
    ("before", "after", "known"), [(2, 3, False), (3, 3, True), (1, 18, False), (1, 19, True)]
)
def test_too_few_values_have_no_interval(before, after, known):
    """1 / 20 of the splits are the most extreme one, for 3 against 3 and for 1 against 19."""
    low, _shift, high = shift_interval(range(before), range(after), 0.9)
    assert known is not math.isnan(low)
    assert math.isnan(low) is math.isnan(high)


def test_superiority_counts_pairs_and_ties_half():
    """Of the four pairs (1, 1), (1, 2), (3, 1), (3, 2), one is larger and one is equal."""
    assert superiority([1, 3], [1, 2]) == (1 + 0.5) / 4


@given(SAMPLES, SAMPLES)
def test_superiority_of_one_is_inferiority_of_the_other(before, after):
    assert superiority(before, after) == pytest.approx(1 - superiority(after, before))


@pytest.mark.parametrize("samples", [([], [1]), ([1], []), ([1], [float("nan")])])
@pytest.mark.parametrize("function", [rank_sum_p, superiority])
def test_an_empty_or_infinite_sample_is_rejected(function, samples):
    with pytest.raises(ValueError, match="a sample must not be empty, and all its values must be finite"):
        function(*samples)


def test_sizes_and_levels_out_of_range_are_rejected():
    with pytest.raises(ValueError, match="a sample has at least one value: 0 and 3"):
        smallest_p(0, 3)
    with pytest.raises(ValueError, match="the confidence must be in"):
        shift_interval([1], [2], 1)
