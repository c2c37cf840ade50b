"""How often intervals of what is compared with other trials hold the truth, over many draws."""

import pytest

from tests.truth.comparisons import (
    HARM,
    covered,
    harms,
    normal,
    predictions,
    skewed,
    two_figures,
    two_modes,
)
from tests.truth.rates import told

pytestmark = pytest.mark.soak(minutes=1)

DRAWS = 100
SLACK = 0.03
SCATTERS = {"normal": normal, "skewed": skewed, "two modes": two_modes}


def check(what, value, target, limit):
    """List a rate beside its target, and check it."""
    told(what, f"{value:.3f}", f"{target} {limit}")
    assert value >= limit - SLACK if target == "≥" else value <= limit + SLACK, what


@pytest.mark.parametrize("trials", [(10, 10), (6, 30), (6, 6)])
@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_harm(trials, kind, tmp_path):
    for alone, beside in ((0.2, 0.2), (0.3, 0.05)):
        figures = harms(tmp_path, DRAWS, trials, (SCATTERS[kind](alone), SCATTERS[kind](beside)), seed=7)
        for metric, truth in HARM.items():
            what = f"{metric} covered, {kind}, sd {alone} and {beside}, solos and trials {trials}"
            check(what, covered(figures, metric, {"a": truth}), "≥", 0.93)


@pytest.mark.parametrize("trials", [(10, 10), (10, 30), (6, 6)])
def test_predictions(trials, tmp_path, sd=0.2):
    figures = predictions(tmp_path, DRAWS, trials, normal(sd), (1, 1, 1), seed=7)
    rate = covered(figures, "prediction_error", dict.fromkeys("abc", 0.0))
    check(f"prediction_error covered, sd {sd}, pairs and trials {trials}", rate, "≥", 0.93)


@pytest.mark.parametrize("kind", sorted(SCATTERS))
@pytest.mark.parametrize("trials", [(6, 6), (10, 10), (6, 30)])
def test_no_shift_comes_out(kind, trials, tmp_path):
    for one, other in ((0.1, 0.1), (0.3, 0.1)):
        scatters = SCATTERS[kind](one), SCATTERS[kind](other)
        found = two_figures(tmp_path, 2 * DRAWS, trials, scatters, 1.0, seed=7)
        for verdict in ("came out", "did not"):
            what = f"{verdict} without a shift, {kind}, sd {one} and {other}, trials {trials}"
            check(what, found.count(verdict) / len(found), "≤", 0.05)


@pytest.mark.parametrize(("trials", "power"), [((6, 6), 0.75), ((10, 10), 0.93)])
def test_a_shift_of_two_standard_deviations_comes_out(trials, power, tmp_path):
    found = two_figures(tmp_path, 4 * DRAWS, trials, (normal(0.1), normal(0.1)), 1.2, seed=7)
    check(f"came out at a shift of 2 sd, trials {trials}", found.count("came out") / len(found), "≥", power)
