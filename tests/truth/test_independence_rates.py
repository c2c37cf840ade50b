"""How often intervals contain the truth where days differ, and how often equal places seem to differ."""

import pytest

from tests.truth.independence import SD, coverage, small_p
from tests.truth.rates import told

pytestmark = pytest.mark.soak(minutes=1)


@pytest.mark.parametrize(("times", "today"), [(0.5, 0.9), (1, 0.8), (2, 0.7)])
def test_the_interval_of_thirty_trials_contains_the_truth(times, today, tmp_path):
    by_trials, published = coverage(times * SD, 40, tmp_path / "world")
    told(
        f"coverage of 30 trials, days scatter {times:g} times as trials, by trials",
        f"{by_trials:.3f}",
        "none",
    )
    told(
        f"coverage of 30 trials, days scatter {times:g} times as trials, published",
        f"{published:.3f}",
        ">= 0.9",
    )
    assert by_trials < today + 0.05
    assert published >= 0.9


def test_the_interval_keeps_its_confidence_where_days_are_alike(tmp_path):
    _, published = coverage(0.0, 30, tmp_path / "world")
    told("coverage of 30 trials, days are alike, published", f"{published:.3f}", ">= 0.95")
    assert published >= 0.94


def test_the_sign_test_of_places_has_its_level(tmp_path):
    level = small_p(200, tmp_path / "world")
    told("settings with equal places and p < 0.05", f"{level:.3f}", "<= 0.05")
    assert level <= 0.07
