"""The stratified rank-sum test against permutations and the test of one stratum; the shift with interval."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, rankdata

from scripts.metrics.rank_sum import shift_interval
from scripts.metrics.stratified import stratified_p, stratified_shift


def drawn(seed, sizes=((6, 8), (7, 5), (9, 9)), shift=0.0, ties=False):
    """Strata of normal values at levels of their own; with ties, whole numbers."""
    draw = np.random.default_rng(seed)
    strata = [
        (draw.normal(level, 1, n), draw.normal(level + shift, 1, m)) for level, (n, m) in enumerate(sizes)
    ]
    if ties:
        strata = [(np.rint(first), np.rint(second)) for first, second in strata]
    return [list(side) for side in zip(*strata, strict=True)]


def p_of_permutations(before, after, draws=20_000):
    """The part of random splits within strata whose weighted rank sum is as far from its mean as this one."""
    draw = np.random.default_rng(1)
    found, statistics = 0.0, np.zeros(draws)
    for first, second in zip(before, after, strict=True):
        ranks = rankdata([*first, *second])
        mean = len(second) * (ranks.size + 1) / 2
        found += (ranks[len(first) :].sum() - mean) / (ranks.size + 1)
        splits = draw.permuted(np.tile(ranks, (draws, 1)), axis=1)[:, : len(second)]
        statistics += (splits.sum(axis=1) - mean) / (ranks.size + 1)
    return float(np.mean(np.abs(statistics) >= abs(found) - 1e-9))


@pytest.mark.parametrize(("seed", "ties"), [*product(range(4), (False, True))])
def test_p_is_that_of_permutations_within_the_strata(seed, ties):
    before, after = drawn(seed, shift=0.4 * (seed % 2), ties=ties)
    assert pytest.approx(p_of_permutations(before, after), abs=0.015) == stratified_p(before, after)


def test_one_stratum_is_the_rank_sum_test():
    before, after = drawn(5, sizes=((12, 15),), shift=0.5)
    one = mannwhitneyu(after[0], before[0], method="asymptotic", use_continuity=False)
    assert pytest.approx(one.pvalue) == stratified_p(before, after)


def test_levels_of_strata_do_not_matter_and_signs_cancel():
    before, after = [[1, 2, 3], [101, 102, 103]], [[4, 5, 6], [98, 99, 100]]
    assert stratified_p(before, after) == 1
    assert stratified_p(before, [[4, 5, 6], [104, 105, 106]]) < 0.01


def test_equal_values_do_not_differ():
    assert stratified_p([[2, 2], [3, 3]], [[2, 2], [3, 3]]) == 1


def test_the_shift_of_equal_strata_is_that_of_one():
    """With strata of the same size, every difference has the same weight."""
    before, after = [[1, 2, 4], [11, 12, 14]], [[2, 5, 6], [12, 15, 16]]
    assert stratified_shift(before, after, 0.9)[1] == shift_interval(before[0], after[0], 0.9)[1]


def test_the_interval_has_the_shifts_that_the_test_does_not_reject():
    before, after = drawn(3, shift=0.5)
    low, shift, high = stratified_shift(before, after, 0.9)
    assert stratified_p(before, after, shift) > 0.95
    for end, outwards in ((low, -1), (high, 1)):
        assert (
            stratified_p(before, after, end + outwards * 1e-6)
            < 0.1
            < stratified_p(before, after, end - outwards * 0.05)
        )


def test_the_interval_turns_around_with_the_samples():
    before, after = drawn(4)
    low, shift, high = stratified_shift(before, after, 0.9)
    assert pytest.approx((-high, -shift, -low)) == stratified_shift(after, before, 0.9)


def test_too_few_values_have_no_interval():
    low, shift, high = stratified_shift([[1.0]], [[3.0]], 0.9)
    assert math.isnan(low) and shift == 2 and math.isnan(high)


@pytest.mark.parametrize("strata", [([], []), ([[1.0]], []), ([[]], [[1.0]]), ([[math.nan]], [[1.0]])])
def test_wrong_samples_are_rejected(strata):
    with pytest.raises(ValueError, match="must"):
        stratified_p(*strata)
