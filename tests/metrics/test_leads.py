"""Which of many figures may be the first, and what is left of each without chance."""

import numpy as np
import pytest

from scripts.metrics.leads import Median, leads_of, moderated, rank_intervals, resampled, shrink

EVEN = [-0.02, -0.01, 0, 0, 0.01, 0.02]


def cell(name, median, scatter=1.0):
    """A cell of six trials around its median."""
    return [Median(name, tuple(median + scatter * away for away in EVEN))]


def ranks(*figures):
    values = [float(np.median(figure[0].trials)) for figure in figures]
    return [(lead.rank_low, lead.rank_high) for lead in leads_of(values, figures)]


def test_a_figure_far_below_the_others_is_the_first_alone():
    assert ranks(cell("a", 0.4), cell("b", 1.0), cell("c", 1.005)) == [(1, 1), (2, 3), (2, 3)]


def test_figures_that_scatter_more_than_they_differ_may_all_be_the_first():
    assert {(1, 3)} == {*ranks(cell("a", 0.9, 9), cell("b", 1.0, 9), cell("c", 1.05, 9))}


def test_without_scatter_equal_figures_share_a_rank_and_others_do_not():
    assert ranks(cell("a", 0.2, 0), cell("b", 0.2, 0), cell("c", 0.3, 0)) == [(1, 2), (1, 2), (3, 3)]


def test_a_single_figure_is_the_first_and_has_nothing_to_be_drawn_to():
    (lead,) = leads_of([0.4], [cell("a", 0.4)])
    assert (lead.rank_low, lead.rank_high) == (1, 1)
    assert np.isnan([lead.shrunk, lead.shrunk_low, lead.shrunk_high]).all()


def test_both_sides_of_a_pair_are_resampled_alike():
    """What one service gains the other loses, also in every bootstrap sample."""
    shares = (0.8, 0.9, 1.0, 1.1, 1.3, 1.4)
    sides = resampled([[Median("a~b", shares)], [Median("a~b", tuple(2 - share for share in shares))]])
    assert sides.sum(axis=1) == pytest.approx(2)


def test_a_figure_is_the_median_of_its_parts_or_a_multiple_of_another():
    parts = [Median(name, (value,) * 6) for name, value in (("a~b", 0.2), ("a~c", 0.5), ("a~d", 0.9))]
    multiple = [Median("a~page", (6.0,) * 6, "page", (2.0,) * 6)]
    assert resampled([parts, multiple])[0].tolist() == [0.5, 3.0]


def test_equal_truths_are_drawn_together_and_the_error_of_one_figure_is_kept_within_its_interval():
    values = 1 + 0.05 * np.linspace(-2, 2, 41)
    found = shrink(values, np.full(41, 0.06))
    assert found[0][0] > 0.95, "the lowest of 41 is 90 %"
    assert found[0][1] < 1 < found[0][2]


def test_a_figure_far_from_all_others_stays_where_it_is():
    values = np.append(1 + 0.02 * np.linspace(-2, 2, 41), 0.4)
    assert shrink(values, np.full(42, 0.03))[-1][0] == pytest.approx(0.4, abs=0.02)


def test_figures_without_scatter_stay_where_they_are():
    assert shrink(np.array([0.2, 0.5, 0.5]), np.zeros(3)) == [(0.2, 0.2, 0.2), *[(0.5, 0.5, 0.5)] * 2]
    assert shrink(np.full(3, 0.5), np.full(3, 0.1)) == [(0.5, 0.5, 0.5)] * 3


def test_errors_that_differ_by_chance_are_drawn_together_and_others_are_not():
    trials = np.full(40, 10.0)
    alike = np.where(np.arange(40) % 2, 0.9, 1.1) * 0.05
    assert np.ptp(moderated(alike, trials)) < 0.001
    apart = np.where(np.arange(40) % 2, 0.01, 1.0)
    assert moderated(apart, trials) == pytest.approx(apart, rel=0.3)
    assert moderated(np.zeros(3), trials[:3]).tolist() == [0, 0, 0]


def test_intervals_of_ranks_contain_the_true_order_where_it_is_certain():
    samples = np.random.default_rng(1).normal([1, 2, 9], 0.1, (1000, 3))
    assert rank_intervals(np.array([1.0, 2, 9]), samples) == [(1, 1), (2, 2), (3, 3)]
