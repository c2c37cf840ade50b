"""How often the gate fails or passes wrongly at the margins, and whether it sees what it announces."""

import numpy as np
import pytest

from scripts.gate.effects import smallest_failing, trials_to_pass
from scripts.gate.margins import read_settings
from tests.truth.gates import MARGIN, drawn, normal
from tests.truth.rates import told

pytestmark = pytest.mark.soak(minutes=1)

GATES = 4000
FIGURES = len(read_settings().margins)
SCATTERS = (0.05, 0.1, 0.15, 0.2)
CONTENDERS = (1, 3)


def percent(rate):
    return f"{100 * rate:.1f} %"


@pytest.mark.parametrize("common", [0, 0.8])
@pytest.mark.parametrize("contenders", CONTENDERS)
@pytest.mark.parametrize("scatter", SCATTERS)
def test_at_most_5_percent_fail_or_pass_at_the_margin(scatter, contenders, common):
    """Fail: all differences are at their margins. Pass: one is, and the others are 0, or better by a lot."""
    tests = FIGURES * contenders
    for trials in (8, 24):
        gates = normal(GATES, tests, trials, scatter, 1, common)
        failed = gates.rate("fail", MARGIN)
        passed = gates.rate("pass", [MARGIN] + [0.0] * (tests - 1))
        alone = gates.rate("pass", [MARGIN] + [-1.0] * (tests - 1))
        what = f"scatter {scatter:.0%}, {FIGURES} figures × {contenders}, correlation {common}, n = {trials}"
        told(f"{what}: false fails", percent(failed), "≤ 5 %")
        told(f"{what}: false passes", f"{percent(passed)}, others better: {percent(alone)}", "≤ 5 %")
        assert max(failed, passed, alone) <= 0.05


@pytest.mark.parametrize("contenders", CONTENDERS)
@pytest.mark.parametrize("scatter", SCATTERS)
def test_the_difference_that_fails_is_the_one_predicted(scatter, contenders):
    tests = FIGURES * contenders
    for trials in (8, 24):
        reached = normal(GATES, tests, trials, scatter, 2).first_fails_from(0.8)
        predicted = smallest_failing(trials, MARGIN, tests, scatter)
        what = f"scatter {scatter:.0%}, {FIGURES} figures × {contenders}, n = {trials}: fails with 80 % from"
        told(what, f"{percent(reached)}, predicted {percent(predicted)}", "within 20 %")
        assert (reached - MARGIN) / (predicted - MARGIN) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("worse", ["more", "either"])
@pytest.mark.parametrize("contenders", CONTENDERS)
@pytest.mark.parametrize("scatter", SCATTERS)
def test_a_pass_needs_the_predicted_trials(scatter, contenders, worse):
    """With a fifth fewer it passes in less than 80 %, with a fifth more in more."""
    tests = FIGURES * contenders
    predicted = trials_to_pass(MARGIN, worse, tests, scatter)
    fewer, same, more = (
        normal(1000, tests, round(predicted * part), scatter, 3).rate("pass", 0, worse == "either")
        for part in (0.8, 1, 1.2)
    )
    what = f"scatter {scatter:.0%}, {FIGURES} figures × {contenders}, worse {worse}, n = {predicted}: passes"
    told(what, f"{percent(same)}; {percent(fewer)} and {percent(more)} with a fifth fewer, more", "80 %")
    assert fewer < 0.8 < more


def beta(mean, deviation):
    together = mean * (1 - mean) / deviation**2 - 1
    return lambda random, shape: random.beta(mean * together, (1 - mean) * together, shape)


def starved(mean, often):
    """0 in most trials, or often; else around a share, so that the mean is this."""

    def draw(random, shape):
        share = random.normal(mean / (1 - often), 0.1 * mean / (1 - often), shape)
        return np.where(random.random(shape) < often, 0, share)

    return draw


def exponential(mean):
    return lambda random, shape: random.exponential(mean, shape)


BOUNDED = {
    "shares near 0": (beta(0.05, 0.04), beta(0.15, 0.07), 0.05),
    "shares near 1": (beta(0.85, 0.07), beta(0.95, 0.04), 0.05),
    "0 in half of the trials": (starved(0.1, 0.5), starved(0.2, 0.5), 0.06),
    "0 in four of five trials": (starved(0.05, 0.8), starved(0.15, 0.8), 0.1),
    "exponential": (exponential(0.1), exponential(0.2), 0.1),
}
"""Base, candidate, whose means are a margin apart, and the most false verdicts that are accepted."""


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("world", BOUNDED)
def test_skewed_and_tied_values_at_the_margin(world, mirrored):
    """Where values scatter more as they grow, a low mean comes with a narrow interval: passes come early."""
    base, candidate, accepted = BOUNDED[world]
    if mirrored:
        base, candidate = (
            lambda random, shape, draw=draw: -draw(random, shape) for draw in (candidate, base)
        )
    for trials in (8, 24):
        gates = drawn(GATES, FIGURES, trials, [4], base, candidate)
        failed = gates.rate("fail", 0)
        passed = gates.rate("pass", [0.0] + [-10.0] * (FIGURES - 1))
        what = f"{world}{', less is worse' if mirrored else ''}, {FIGURES} figures, n = {trials}"
        told(
            f"{what}: false fails, false passes", f"{percent(failed)}, {percent(passed)}", f"≤ {accepted:.0%}"
        )
        assert max(failed, passed) <= accepted
