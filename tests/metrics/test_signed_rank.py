"""The exact signed-rank test, against all ways to sign the differences, SciPy and tables."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from scripts.metrics.signed_rank import signed_rank_p, smallest_signed_rank_p, trials_for_one

TIED = st.lists(st.integers(-4, 4), min_size=1, max_size=9)
DISTINCT = st.lists(st.integers(1, 1000), min_size=1, max_size=30, unique=True)


def p_of_all_signs(differences):
    """Twice the smaller tail of the sum of the positive ranks, over every way to sign the differences."""
    signed = [one for one in differences if one != 0]
    ranks = rankdata([abs(one) for one in signed])
    found = sum(rank for rank, one in zip(ranks, signed, strict=True) if one > 0)
    sums = [
        sum(rank for rank, plus in zip(ranks, signs, strict=True) if plus)
        for signs in product((False, True), repeat=len(signed))
    ]
    tails = sum(one <= found for one in sums), sum(one >= found for one in sums)
    return min(1, 2 * min(tails) / len(sums))


@given(TIED)
def test_with_ties_and_zeros_p_is_that_of_all_signs(differences):
    assert signed_rank_p(differences) == pytest.approx(p_of_all_signs(differences))


@given(DISTINCT, st.data())
def test_without_ties_p_is_that_of_scipy(sizes, data):
    signs = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(sizes), max_size=len(sizes)))
    differences = [sign * size for sign, size in zip(signs, sizes, strict=True)]
    assert signed_rank_p(differences) == pytest.approx(wilcoxon(differences, method="exact").pvalue)


def test_the_table_of_lehmann_for_ten():
    """Table H: of ten differences the negative ranks sum up to at most 8 with probability 0.0244."""
    assert signed_rank_p([-1, -7, 2, 3, 4, 5, 6, 8, 9, 10]) == pytest.approx(2 * 25 / 1024)


@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=40))
def test_differences_of_one_sign_give_the_smallest_p(differences):
    smallest = smallest_signed_rank_p(len(differences))
    assert signed_rank_p(differences) == pytest.approx(smallest)
    assert signed_rank_p([-one for one in differences]) == pytest.approx(smallest)


def test_no_difference_is_no_evidence():
    assert 1 == signed_rank_p([0.0, 0.0]) == signed_rank_p([])


def test_a_difference_that_is_not_finite_is_rejected():
    with pytest.raises(ValueError, match="finite"):
        signed_rank_p([1.0, float("nan")])


@pytest.mark.parametrize(("tests", "trials"), [(1, 6), (3, 7), (15, 10), (66, 12)])
def test_the_trials_that_one_discovery_needs(tests, trials):
    assert trials == trials_for_one(tests, 0.05)
    assert smallest_signed_rank_p(trials) <= 0.05 / tests < smallest_signed_rank_p(trials - 1)
