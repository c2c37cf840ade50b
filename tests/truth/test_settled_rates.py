"""How often a share is called settled whose two halves of the window differ by chance, or because it climbs.

The interval is by trials where nobody knows the days of the trials, else by days.
"""

import pytest

from tests.truth.drifts import drifting, rate, words
from tests.truth.rates import told

pytestmark = pytest.mark.soak(minutes=1)

CELLS = {"services": 12, "draws": 10}
DAYS = pytest.mark.parametrize("day_sd", [None, 0.0], ids=["by trials", "by days"])


def words_of(climb, spread, trials, day_sd, folder):
    """The words of 660 cells."""
    return words(drifting(climb, spread, trials, day_sd=day_sd, **CELLS), 7, folder)


@DAYS
def test_halves_that_differ_by_5_points_are_settled(day_sd, tmp_path):
    settled = rate(words_of(0, 0.05, 10, day_sd, tmp_path), "settled")
    told(f"no climb, spread 5%, n = 10, days {day_sd}: settled", f"{settled:.1%}", "≥ 90%")
    assert settled >= 0.9


@DAYS
@pytest.mark.parametrize("trials", [10, 30])
@pytest.mark.parametrize("spread", [0.05, 0.1])
def test_a_climb_of_20_points_is_hardly_ever_settled(spread, trials, day_sd, tmp_path):
    settled = rate(words_of(0.2, spread, trials, day_sd, tmp_path), "settled")
    told(
        f"a climb of 20 points, spread {spread:.0%}, n = {trials}, days {day_sd}: settled",
        f"{settled:.1%}",
        "≤ 5%",
    )
    assert settled <= 0.05


@DAYS
@pytest.mark.parametrize(("spread", "trials", "least"), [(0.05, 10, 0.9), (0.1, 10, 0.4), (0.1, 30, 0.9)])
def test_a_climb_of_40_points_still_moves(spread, trials, least, day_sd, tmp_path):
    found = words_of(0.4, spread, trials, day_sd, tmp_path)
    what = f"a climb of 40 points, spread {spread:.0%}, n = {trials}, days {day_sd}"
    moving = rate(found, "still moving")
    told(f"{what}: still moving", f"{moving:.1%}", f"≥ {least:.0%}")
    settled = rate(found, "settled")
    told(f"{what}: settled", f"{settled:.1%}", "≤ 1%")
    assert moving >= least and settled <= 0.01
