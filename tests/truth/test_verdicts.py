"""Where all services are equal nobody loses, and one that does lose is found: a few cycles of each.

test_verdict_rates.py has the rates over many cycles.
"""

from functools import partial

import pytest

from tests.truth.claims import claims_of
from tests.truth.worlds import World, normal, two_modes

LOSER = "s01~s02"
FEW = partial(World, services=6, draws=4)
"""Six services, so that a test takes seconds."""


@pytest.mark.parametrize(
    "scatter", [normal(0.15), normal(0.3), two_modes(0.35)], ids=["15 %", "30 %", "two modes"]
)
def test_where_all_services_are_equal_no_page_names_a_loser(scatter, tmp_path):
    """Chance lets one of twenty cycles name somebody; none of these four does."""
    for claims in claims_of(FEW(scatter), 6, tmp_path / "world"):
        assert not claims.named, claims.named
        assert not claims.names_loser and claims.headline.startswith("No service ")


def test_a_service_that_loses_is_named(tmp_path):
    for claims in claims_of(FEW(normal(0.1), shares={LOSER: 0.75}), 2, tmp_path / "world"):
        assert claims.named == {("s01", "s02"): "losing", ("s02", "s01"): "winning"}
        assert claims.names_loser and claims.headline.startswith("s02 leaves s01 ")


def test_a_pair_whose_trials_fall_into_two_groups_is_never_fair(tmp_path):
    for claims in claims_of(FEW(two_modes(0.35)), 3, tmp_path / "world"):
        assert claims.fair == 0


def test_a_quiet_world_is_fair_and_a_noisy_one_undecided(tmp_path):
    quiet = claims_of(FEW(normal(0.03)), 4, tmp_path / "quiet")
    assert all(claims.fair == claims.cells for claims in quiet)
    assert all(claims.headline.startswith("No service loses. ") for claims in quiet)
    noisy = claims_of(FEW(normal(0.3)), 4, tmp_path / "noisy")
    assert all(claims.fair < 0.2 * claims.cells for claims in noisy)
    assert all(claims.headline.startswith("No service certainly loses. ") for claims in noisy)


def test_two_instances_of_one_service_differ_as_far_as_chance_makes_them(tmp_path):
    """They have no verdict. What chance alone gives is estimated from the service's pairs with others."""
    for claims in claims_of(FEW(normal(0.15)), 5, tmp_path / "world"):
        assert set(claims.instance_verdicts) == {None}
        assert 0.8 < claims.instance_difference / claims.scatter_difference < 1.25
