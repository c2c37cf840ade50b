"""How often a share is called settled if the halves of its window differ by chance, or because it climbs."""

import pytest

from tests.truth.drifts import drifting, rate, words
from tests.truth.rates import told

pytestmark = pytest.mark.soak(minutes=5)

CELLS = {"services": 12, "draws": 10}
INTERVALS = {"by trials": None, "by days": 0.0}
"""What is known of the days, which are all alike."""


def words_of(climb, spread, trials, interval, folder):
    """The words of 660 cells."""
    return words(drifting(climb, spread, trials, day_sd=INTERVALS[interval], **CELLS), 7, folder)


@pytest.mark.parametrize("interval", INTERVALS)
def test_halves_that_differ_by_5_points_are_settled(interval, tmp_path):
    settled = rate(words_of(0, 0.05, 10, interval, tmp_path), "settled")
    told(f"no climb, spread 5%, n = 10, {interval}: settled", f"{settled:.1%}", "≥ 90%")
    assert settled >= 0.9


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("trials", [10, 30])
@pytest.mark.parametrize("spread", [0.05, 0.1])
def test_a_climb_of_20_points_is_hardly_ever_settled(spread, trials, interval, tmp_path):
    settled = rate(words_of(0.2, spread, trials, interval, tmp_path), "settled")
    told(
        f"a climb of 20 points, spread {spread:.0%}, n = {trials}, {interval}: settled",
        f"{settled:.1%}",
        "≤ 5%",
    )
    assert settled <= 0.05


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize(("spread", "trials", "least"), [(0.05, 10, 0.9), (0.1, 10, 0.4), (0.1, 30, 0.9)])
def test_a_climb_of_40_points_still_moves(spread, trials, least, interval, tmp_path):
    found = words_of(0.4, spread, trials, interval, tmp_path)
    what = f"a climb of 40 points, spread {spread:.0%}, n = {trials}, {interval}"
    moving = rate(found, "still moving")
    told(f"{what}: still moving", f"{moving:.1%}", f"≥ {least:.0%}")
    settled = rate(found, "settled")
    told(f"{what}: settled", f"{settled:.1%}", "≤ 1%")
    assert moving >= least and settled <= 0.01
