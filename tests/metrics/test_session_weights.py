"""K by other weights, and what scatter alone gives."""

import numpy as np
import pytest

from scripts.metrics.fairness import fmp
from scripts.metrics.session_weights import WEIGHTS, k_by_weights, k_scatter


@pytest.mark.parametrize("slots", [2, 50, 3600])
@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_all_weights_are_those_that_the_paper_allows(name, slots):
    """They decrease strictly, and `fmp` takes them."""
    weights = WEIGHTS[name](np.linspace(0, 1, slots))
    fmp([1] * slots, [1] * slots, (weights / weights.sum()).tolist())


def test_the_linear_weights_are_those_of_k():
    a, b = [5, 0, 1, 3], [1, 4, 1, 2]
    weights = WEIGHTS["linear"](np.linspace(0, 1, 4))
    assert pytest.approx(fmp(a, b)) == fmp(a, b, (weights / weights.sum()).tolist())


def test_weights_decide_a_session_in_which_the_flows_take_turns():
    """Fig. 1c of Corbel et al.: a has the first half. Only flat weights call that fair."""
    a, b = [9] * 400 + [0] * 400, [0] * 400 + [9] * 400
    lowest, highest = k_by_weights(a, b)
    assert lowest < -0.38 < fmp(a, b) < -0.2 < highest < 0
    assert pytest.approx((-highest, -lowest)) == k_by_weights(b, a)


def test_no_weights_change_a_session_that_is_alike_all_the_time():
    assert pytest.approx((-0.5, -0.5)) == k_by_weights([1] * 30, [0] * 30)
    assert (0, 0) == k_by_weights([1] * 30, [1] * 30)
    assert 0 == k_scatter([1] * 30, [1] * 30)


@pytest.mark.parametrize("turn", [1, 5, 20])
@pytest.mark.parametrize("slots", [300, 3600])
def test_the_scatter_is_the_mean_of_k_over_fair_flows(slots, turn):
    """Shares scatter by 20 %, and stay the same for some slots (of 100 ms)."""
    draw = np.random.default_rng(5)
    found, expected = [], []
    for _session in range(300):
        share = np.clip(0.5 + draw.normal(0, 0.1, -(-slots // turn)).repeat(turn)[:slots], 0, 1)
        found.append(abs(fmp(share, 1 - share)))
        expected.append(k_scatter(share, 1 - share))
    assert pytest.approx(np.mean(found), rel=0.25) == np.mean(expected)


def test_a_flow_that_dominates_has_a_k_far_above_its_scatter():
    a, b = [9] * 400, [1] * 400
    assert abs(fmp(a, b)) > 3 * k_scatter(a, b)
