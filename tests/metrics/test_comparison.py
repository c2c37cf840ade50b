"""Comparisons of two samples: values worked by hand, and properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.comparison import holm, mann_whitney, superiority

P_VALUES = st.lists(st.floats(0, 1), max_size=20)
SAMPLES = st.lists(st.integers(0, 50), min_size=1, max_size=12)


def test_two_samples_apart_are_one_of_the_two_extreme_orders():
    assert pytest.approx(2 / 252) == mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])


def test_equal_samples_do_not_differ():
    assert mann_whitney([2, 2, 2], [2, 2, 2]) == 1


def test_superiority_counts_pairs_and_ties_half():
    """Of the four pairs (1, 1), (1, 2), (3, 1), (3, 2), one is larger and one is equal."""
    assert superiority([1, 3], [1, 2]) == (1 + 0.5) / 4


@given(SAMPLES, SAMPLES)
def test_superiority_of_one_is_inferiority_of_the_other(before, after):
    assert superiority(before, after) == pytest.approx(1 - superiority(after, before))


def test_holm_on_the_textbook_example():
    """The sorted values 0.005, 0.01, 0.03, 0.04 are multiplied by 4, 3, 2, 1 and made non-decreasing."""
    assert pytest.approx([0.03, 0.06, 0.06, 0.02]) == holm([0.01, 0.04, 0.03, 0.005])


@given(P_VALUES)
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values):
    corrected = holm(p_values)
    assert all(p <= new <= 1 for p, new in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[index] for index in order] == sorted(corrected)


@pytest.mark.parametrize("function", [mann_whitney, superiority])
@pytest.mark.parametrize("samples", [([], [1]), ([1], []), ([1], [float("nan")])])
def test_an_empty_or_infinite_sample_is_rejected(function, samples):
    with pytest.raises(ValueError, match="a sample must not be empty, and all its values must be finite"):
        function(*samples)


def test_a_p_value_out_of_range_is_rejected():
    with pytest.raises(ValueError, match="must be in"):
        holm([0.5, 1.1])
