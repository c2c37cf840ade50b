"""Sequential looks: boundaries against published tables, intervals worked by hand and against SciPy's."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t, ttest_ind

from scripts.metrics.sequential import boundaries, repeated_interval, spent, student_boundary, welch

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)

LOOKS = st.lists(st.integers(1, 50), min_size=1, max_size=5, unique=True).map(
    lambda parts: tuple(part / 50 for part in sorted(parts))
)
TAILS = st.floats(0.0005, 0.1)


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        (1, [1.9600]),
        (2, [2.9626, 1.9686]),
        (3, [3.7103, 2.5114, 1.9930]),
        (4, [4.3326, 2.9631, 2.3590, 2.0141]),
        (5, [4.8769, 3.3570, 2.6803, 2.2898, 2.0310]),
    ],
)
def test_the_boundaries_are_the_published_ones(looks, expected):
    """Two-sided 5 %, equal steps: Reboussin, DeMets, Kim and Lan 2000 (ld98), as gsDesign prints them."""
    found = boundaries(tuple((look + 1) / looks for look in range(looks)), 0.025)
    assert pytest.approx(expected, abs=2e-4) == list(found)


def test_the_error_is_spent_as_lan_and_demets_have_it():
    assert [spent(1, 0.025), spent(0.25, 0.025)] == pytest.approx(
        [0.025, 2 * norm.sf(2 * norm.isf(0.0125))], rel=1e-9
    )


@given(LOOKS, TAILS)
@settings(max_examples=25)
def test_no_boundary_is_below_that_of_one_look_with_the_same_error(looks, tail):
    found = boundaries(looks, tail)
    assert all(edge >= norm.isf(spent(at, tail)) * (1 - 1e-6) for at, edge in zip(looks, found, strict=True))
    assert found[0] == pytest.approx(min(norm.isf(spent(looks[0], tail)), 37), rel=1e-6)


@pytest.mark.parametrize("tail", [0.025, 0.005])
def test_random_walks_cross_the_boundaries_as_often_as_planned(tail):
    steps = np.random.default_rng(1).normal(size=(50_000, 5))
    crossed = (steps.cumsum(axis=1) / np.sqrt(np.arange(1, 6)) > boundaries(FIFTHS, tail)).cumsum(axis=1) > 0
    planned = [spent(at, tail) for at in FIFTHS]
    assert crossed.mean(axis=0) == pytest.approx(planned, abs=3 * math.sqrt(tail / 50_000))


def test_many_looks_are_computed_as_exactly_as_few():
    """Looks that are 1 % apart, but first where nothing is spent: the last boundary hardly changes."""
    few = boundaries((0.5, 1.0), 0.025)
    many = boundaries((0.01, 0.02, 0.03, 0.5, 1.0), 0.025)
    assert few == pytest.approx(many[-2:], abs=1e-9)


@pytest.mark.parametrize(
    ("fractions", "tail"),
    [
        ((), 0.025),
        ((0.0, 1.0), 0.025),
        ((0.5, 0.5), 0.025),
        ((0.6, 0.5), 0.025),
        ((1.1,), 0.025),
        ((1.0,), 0),
    ],
)
def test_wrong_looks_are_rejected(fractions, tail):
    with pytest.raises(ValueError, match="must"):
        boundaries(fractions, tail)


def test_one_look_is_students_test():
    assert student_boundary(7.5, (1.0,), 0.025) == pytest.approx(t.isf(0.025, 7.5))


@pytest.mark.parametrize("freedom", [2.0, 2.9, 4.0, 46.0])
def test_a_look_that_spends_nothing_has_an_interval_without_end(freedom):
    """Where nothing may be spent, no look may find something."""
    assert student_boundary(freedom, (1e-6,), 0.025) > 100


def test_welch_by_hand():
    """Base 1, 2, 3: mean 2, variance 1. Candidate 1, 3, 5, 7: mean 4, variance 20/3."""
    difference, error, freedom = welch(np.array([1.0, 2, 3]), np.array([1.0, 3, 5, 7]))
    parts = 1 / 3, 5 / 3
    assert (difference, error) == pytest.approx((2, math.sqrt(2)))
    assert freedom == pytest.approx(4 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 3))


@given(
    st.lists(st.integers(-50, 50), min_size=3, max_size=12, unique=True),
    st.lists(st.integers(-50, 50), min_size=3, max_size=12, unique=True),
)
@settings(max_examples=25)
def test_the_interval_of_one_look_is_that_of_welchs_test(base, candidate):
    low, high = repeated_interval(np.array(base, float), np.array(candidate, float), (1.0,), 0.025)
    expected = ttest_ind(candidate, base, equal_var=False).confidence_interval(0.95)
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_earlier_looks_and_smaller_errors_have_wider_intervals():
    base, candidate = np.array([0.9, 1.0, 1.1, 1.0]), np.array([0.8, 1.2, 1.0, 0.7])
    widths = [
        np.subtract(*repeated_interval(base, candidate, looks, tail)[::-1])
        for looks, tail in [((1.0,), 0.025), ((0.5, 1.0), 0.025), ((0.5,), 0.025), ((0.5,), 0.005)]
    ]
    assert widths == sorted(widths) and len({*widths}) == 4


def test_samples_of_further_axes_are_apart():
    draw = np.random.default_rng(2)
    base, candidate = draw.normal(size=(2, 3, 5)), draw.normal(size=(2, 3, 7))
    together = repeated_interval(base, candidate, FIFTHS[:3], 0.025)
    alone = repeated_interval(base[1, 2], candidate[1, 2], FIFTHS[:3], 0.025)
    assert [end[1, 2] for end in together] == [*alone]


def test_samples_without_spread_have_no_interval():
    assert np.isnan(repeated_interval(np.ones(4), np.ones(4), (1.0,), 0.025)).all()
