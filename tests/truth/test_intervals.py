"""The intervals of what is compared with other trials hold the truth (whole: test_interval_rates.py)."""

import pytest

from tests.truth.comparisons import HARM, covered, harms, normal, predictions, two_figures

SD = 0.2
DRAWS, SLACK = 40, 0.1
"""So few draws, and what their rates may be off."""


def test_the_interval_of_harm_holds_the_uncertainty_of_the_solos(tmp_path):
    figures = harms(tmp_path, 15, (6, 30), (normal(SD), normal(SD)), seed=1)
    for metric, truth in HARM.items():
        rate = covered(figures, metric, {"a": truth})
        print(f"{metric} covered, 6 solos and 30 trials | {rate:.3f} | ≥ 0.93")
        assert rate >= 0.93 - SLACK


def test_the_interval_of_an_error_holds_the_uncertainty_of_the_pairs(tmp_path):
    figures = predictions(tmp_path, 12, (10, 30), normal(SD), (1, 1, 1), seed=1)
    rate = covered(figures, "prediction_error", dict.fromkeys("abc", 0.0))
    print(f"prediction_error covered, 10 pairs and 30 trials | {rate:.3f} | ≥ 0.93")
    assert rate >= 0.93 - SLACK


def test_an_expectation_of_two_figures_sees_a_shift_and_none_where_there_is_none(tmp_path):
    scatters = normal(0.1), normal(0.1)
    equal = two_figures(tmp_path, DRAWS, (6, 6), scatters, 1.0, seed=1)
    shifted = two_figures(tmp_path, DRAWS, (6, 6), scatters, 1.2, seed=2)
    print(f"came out without a shift, n = 6 | {equal.count('came out') / DRAWS:.3f} | ≤ 0.05")
    print(f"came out at a shift of 2 sd, n = 6 | {shifted.count('came out') / DRAWS:.3f} | ≥ 0.75")
    assert equal.count("came out") <= DRAWS * (0.05 + SLACK)
    assert shifted.count("came out") >= DRAWS * (0.75 - SLACK)
    assert "did not" not in shifted


@pytest.mark.parametrize("trials", [(5, 30), (30, 5)])
def test_below_six_trials_of_one_of_them_there_is_no_interval(trials, tmp_path):
    rows = harms(tmp_path, 1, trials, (normal(SD), normal(SD)), seed=1).to_pylist()
    found = [row for row in rows if row["metric"] in HARM]
    assert [(None, None)] * len(HARM) == [(row["low"], row["high"]) for row in found]
    assert {"not comparable"} == {*two_figures(tmp_path, 3, trials, (normal(SD), normal(SD)), 9.0, seed=1)}
