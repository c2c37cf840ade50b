"""The pooled sign test against the binomial distribution and against all choices of a few trials."""

from itertools import combinations, product
from math import comb

import pytest

from scripts.metrics.pooled_signs import pooled_sign_p


@pytest.mark.parametrize("above", range(11))
def test_one_of_two_trials_in_each_of_ten_cells_is_the_sign_test(above):
    tail = sum(comb(10, k) for k in range(min(above, 10 - above) + 1)) / 2**10
    chosen_above = [1] * above + [0] * (10 - above)
    assert pytest.approx(min(1, 2 * tail)) == pooled_sign_p([1] * 10, [1] * 10, [1] * 10, chosen_above)


def test_it_counts_all_choices_of_as_many_trials_in_each_cell():
    """Cells of 5 and 4 trials, of which 2 and 3 are chosen; the value of a trial is 1 above the median."""
    choices = [combinations([0, 0, 1, 1], 2), combinations([0, 0, 1, 1, 1], 3)]
    sums = [sum(map(sum, choice)) for choice in product(*choices)]
    for first, second in product(range(3), range(1, 4)):
        total = first + second
        tail = min(sum(one <= total for one in sums), sum(one >= total for one in sums)) / len(sums)
        found = pooled_sign_p([2, 2], [2, 3], [2, 3], [first, second])
        assert pytest.approx(min(1, 2 * tail)) == found


def test_without_a_cell_nothing_is_seen():
    assert 1 == pooled_sign_p([], [], [], [])


@pytest.mark.parametrize("cell", [(2, 2, 5, 2), (2, 2, 1, 2), (2, 1, 2, 2)])
def test_more_chosen_trials_than_there_are_is_refused(cell):
    with pytest.raises(ValueError, match="cannot be above"):
        pooled_sign_p(*([number] for number in cell))
