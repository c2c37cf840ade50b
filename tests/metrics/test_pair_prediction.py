"""What pairs predict, with the uncertainty of the pairs."""

import math

import pytest

from scripts.metrics.pair_prediction import parts_from_pairs

HALF = 0.5


def test_ratios_that_agree_are_kept():
    """Three services that get 3 : 2 : 1 in every pair get 3 : 2 : 1 together."""
    fractions = [HALF, 3 / 5, 3 / 4, 2 / 5, HALF, 2 / 3, 1 / 4, 1 / 3, HALF]
    found = parts_from_pairs(["a", "b", "c"], fractions, fractions, fractions)
    assert [pytest.approx([part] * 3) for part in (3 / 6, 2 / 6, 1 / 6)] == [list(one) for one in found]


def test_one_uncertain_pair_moves_the_parts_to_its_ends():
    """Two clients: the part is the fraction of the pair, and so are the ends of its interval."""
    (a, b) = parts_from_pairs(
        ["a", "b"], [HALF, 0.6, 0.4, HALF], [HALF, 0.5, 0.2, HALF], [HALF, 0.8, 0.5, HALF]
    )
    assert pytest.approx((0.5, 0.6, 0.8)) == a
    assert pytest.approx((0.2, 0.4, 0.5)) == b


def test_independent_pairs_move_a_part_by_the_root_of_their_squares():
    fractions, lows, highs = [HALF] * 9, [HALF] * 9, [HALF] * 9
    for one, other in ((0, 1), (0, 2)):
        lows[3 * one + other], highs[3 * one + other] = 0.4, 0.6
        lows[3 * other + one], highs[3 * other + one] = 0.4, 0.6
    (low, part, high), *_ = parts_from_pairs(["a", "b", "c"], fractions, lows, highs)
    step = math.log(0.6 / 0.4) / 3
    lowest = math.exp(-step) / (math.exp(-step) + math.exp(step) + 1)
    highest = math.exp(step) / (math.exp(-step) + math.exp(step) + 1)
    assert pytest.approx(1 / 3) == part
    assert pytest.approx(part - math.sqrt(2) * (part - lowest)) == low
    assert pytest.approx(part + math.sqrt(2) * (highest - part)) == high


def test_two_clients_of_one_service_have_the_same_part():
    fractions = [HALF, 0.75, 0.75, 0.25, HALF, HALF, 0.25, HALF, HALF]
    a, b, other_b = parts_from_pairs(["a", "b", "b"], fractions, fractions, fractions)
    assert b == other_b
    assert pytest.approx(1) == a[1] + 2 * b[1]


@pytest.mark.parametrize("ends", [(math.nan, math.nan), (0, 0.7), (0.3, 1)])
def test_a_pair_without_a_useful_interval_leaves_none(ends):
    low, high = ends
    found = parts_from_pairs(["a", "b"], [HALF] * 4, [HALF, low, 1 - high, HALF], [HALF, high, 1 - low, HALF])
    assert all(math.isnan(one[0]) and one[1] == HALF and math.isnan(one[2]) for one in found)


def test_invalid_values_are_rejected():
    with pytest.raises(ValueError, match="have 4 fractions"):
        parts_from_pairs(["a", "b"], [HALF] * 3, [HALF] * 3, [HALF] * 3)
    with pytest.raises(ValueError, match="above 0"):
        parts_from_pairs(["a", "b"], [HALF, 0, 1, HALF], [HALF] * 4, [HALF] * 4)
