"""What exclusion does: a rule that excludes trials for what they measured is seen, another one is not."""

import pytest

from tests.truth.exclusions import at_random, measured, when_low
from tests.truth.worlds import World, normal

LOSES = {"s01~s02": 0.8, "s01~s03": 0.8, "s02~s03": 0.85, "s01~s04": 0.7, "s02~s04": 0.8, "s03~s04": 0.8}
TESTS = ("solo", "trial_fmp", "trial_fairness", "exclusion_bias", "exclusion_tests")


@pytest.fixture(scope="module")
def unfair(tmp_path_factory):
    """A cycle of four services in which the first one of each pair gets less."""
    world = World(normal(0.1), LOSES, services=4, draws=2)
    return measured(world, 1, tmp_path_factory.mktemp("unfair") / "tables")


def test_a_rule_that_excludes_the_trials_in_which_the_loser_gets_less_is_seen(unfair):
    (row,) = unfair.judged(when_low(0.7), 1)["exclusion_tests"]
    assert "below" == row["direction"] and row["below"] > 2 * row["above"]
    assert row["p_corrected"] < 1e-3


def test_a_rule_that_excludes_at_random_is_seen_in_5_percent_of_cycles_at_most(unfair):
    seen = sum(
        row["direction"] != "undecided"
        for seed in range(8)
        for row in unfair.judged(at_random(0.15), seed, TESTS)["exclusion_tests"]
    )
    print(f"exclusion at random is seen | {seen} of 8 cycles | at most 5 %")
    assert seen <= 2, "three or more of 8 are seen in 0.6 % of runs if 5 % are false"


def test_a_median_that_moves_far_or_changes_its_verdict_has_a_warning(unfair):
    biased = unfair.judged(when_low(0.75), 1)["exclusion_bias"]
    assert all(
        row["warns"]
        == (row["verdict_kept"] != row["verdict_all"] or abs(row["difference"]) > row["warns_beyond"])
        for row in biased
    )
    assert sum(row["warns"] for row in biased) > len(biased) / 4


def test_the_thresholds_that_decide_verdicts_are_named_with_the_cells(unfair):
    half, twice = unfair.judged(when_low(0.75), 1)["threshold_sensitivity"]
    assert (0.5, 0.25, 2.0, 1.0) == (half["factor"], half["threshold"], twice["factor"], twice["threshold"])
    assert half["n_lost"] > 0 == half["n_gained"] and twice["n_gained"] > 0 == twice["n_lost"]
    assert twice["cells_changed"] == len(twice["cells"].split(",")) > 0
    assert twice["largest_change"] > 0.01 and twice["largest_cell"]
