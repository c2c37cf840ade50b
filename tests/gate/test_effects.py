"""What a gate can show before it runs: known numbers, directions, and a small simulation."""

import pytest

from scripts.gate.effects import smallest_failing, trials_to_pass
from tests.truth.gates import MARGIN, normal


@pytest.mark.parametrize("scatter, points", [(0.1, 0.285), (0.16, 0.4)])
def test_nine_trials_an_arm_fail_only_a_large_difference(scatter, points):
    """A quarter of an hour against one contender, six figures."""
    assert smallest_failing(9, margin=0.1, tests=6, scatter=scatter) == pytest.approx(points, abs=0.005)


def test_a_pass_within_ten_points_needs_two_dozen_trials_an_arm():
    assert (23, 18) == tuple(trials_to_pass(0.1, worse, scatter=0.1) for worse in ("either", "less"))


def test_more_tests_figures_scatter_and_power_need_more():
    effects = [smallest_failing(12, 0.1, tests, 0.1) for tests in (1, 5, 15)]
    effects += [smallest_failing(12, 0.1, 15, scatter) for scatter in (0.15, 0.2)]
    trials = [trials_to_pass(0.1, figures=figures, scatter=0.1) for figures in (1, 5, 15)]
    trials += [trials_to_pass(0.1, figures=15, scatter=scatter) for scatter in (0.15, 0.2)]
    trials += [trials_to_pass(0.1, figures=15, scatter=0.2, power=0.9)]
    assert effects == sorted({*effects}) and trials == sorted({*trials})


def test_a_difference_at_the_margin_is_never_the_smallest_that_fails():
    assert 0.1 < smallest_failing(1000, 0.1, 1, scatter=0.01) < 0.102


def test_a_margin_out_of_reach_is_told():
    with pytest.raises(ValueError, match="needs more than"):
        trials_to_pass(0.001, scatter=0.2)


@pytest.mark.parametrize("trials", [6, 24])
def test_the_predicted_difference_fails_with_80_percent(trials):
    reached = normal(2000, tests=5, trials=trials, scatter=0.1, seed=1).first_fails_from(0.8)
    assert reached - MARGIN == pytest.approx(smallest_failing(trials, MARGIN, 5, 0.1) - MARGIN, rel=0.1)


def test_the_predicted_trials_pass_with_80_percent():
    gates = normal(2000, tests=2, trials=trials_to_pass(MARGIN, figures=2, scatter=0.1), scatter=0.1, seed=1)
    assert 0.77 < gates.rate("pass", 0, either=True) < 0.87
