"""Corrections for many tests: values worked by hand, and properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.multiple_tests import benjamini_hochberg, holm, holm_of_groups

P_VALUES = st.lists(st.floats(0, 1), max_size=20)


def test_holm_on_the_textbook_example():
    """The sorted values 0.005, 0.01, 0.03, 0.04 are multiplied by 4, 3, 2, 1 and made non-decreasing."""
    assert pytest.approx([0.03, 0.06, 0.06, 0.02]) == holm([0.01, 0.04, 0.03, 0.005])


@given(P_VALUES)
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values):
    corrected = holm(p_values)
    assert all(p <= new <= 1 for p, new in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[index] for index in order] == sorted(corrected)


def test_a_p_value_out_of_range_is_rejected():
    with pytest.raises(ValueError, match="must be in"):
        holm([0.5, 1.1])


def test_benjamini_and_hochberg_by_hand():
    """The sorted values 0.005, 0.01, 0.03, 0.04 times 4/1, 4/2, 4/3, 4/4, then no value above a later one."""
    assert pytest.approx([0.02, 0.04, 0.04, 0.02]) == benjamini_hochberg([0.01, 0.04, 0.03, 0.005], 4)


def test_tests_that_were_not_made_yet_belong_to_the_family():
    assert pytest.approx([0.05]) == benjamini_hochberg([0.01], 5)
    assert [] == benjamini_hochberg([], 5)
    with pytest.raises(ValueError, match="2 p values of 1 tests"):
        benjamini_hochberg([0.1, 0.2], 1)


@given(P_VALUES)
def test_benjamini_and_hochberg_find_no_less_than_holm(p_values):
    adjusted = benjamini_hochberg(p_values, len(p_values))
    pairs = zip(p_values, adjusted, holm(p_values), strict=True)
    assert all(p <= new <= corrected + 1e-12 for p, new, corrected in pairs)


def test_a_group_counts_once_with_its_smallest_p():
    """Three groups: 0.01 is multiplied by 3, 0.02 by 2, and 0.5 by 1."""
    found = holm_of_groups([0.01, 0.02, 0.01, 0.2, 0.5], ["a~b", "a~c", "a~b", "a~c", "b~c"])
    assert pytest.approx([0.03, 0.04, 0.03, 0.4, 0.5]) == found


@given(P_VALUES)
def test_groups_of_one_are_holm(p_values):
    groups = [str(number) for number in range(len(p_values))]
    assert holm(p_values) == holm_of_groups(p_values, groups)
