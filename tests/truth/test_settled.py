"""A share whose halves differ by chance is settled, and one that climbs is not: a few cycles of each.

test_settled_rates.py has the rates over many cycles.
"""

import pytest

from tests.truth.drifts import drifting, rate, words


def test_halves_that_differ_by_chance_alone_are_settled(tmp_path):
    assert rate(words(drifting(0, 0.05, 10), 1, tmp_path), "settled") >= 0.9


@pytest.mark.parametrize(("spread", "trials"), [(0.05, 10), (0.1, 30)])
def test_a_climb_of_20_points_is_hardly_ever_called_settled(spread, trials, tmp_path):
    assert rate(words(drifting(0.2, spread, trials), 2, tmp_path), "settled") <= 0.05


def test_a_climb_of_40_points_is_seen_on_both_sides_of_a_pair(tmp_path):
    found = words(drifting(0.4, 0.05, 10), 3, tmp_path)
    assert rate(found, "still moving") >= 0.9 and found["settled"] == 0
    assert words(drifting(-0.4, 0.05, 10), 3, tmp_path / "other")["still moving"] >= 0.9 * found.total()


def test_five_trials_have_no_word(tmp_path):
    assert {None} == {*words(drifting(0.4, 0.05, 5), 4, tmp_path)}
