"""The scales of the heatmaps: their bins, and whether the numbers on them can be read."""

import pytest

from scripts.charts.scales import INKS, SCALES, contrast
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE, outcome

SHARE = SCALES["share"]
FAIR = len(SHARE.breaks) // 2


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
def test_every_bin_has_a_colour_of_its_own_on_which_its_ink_can_be_read(scale):
    assert list(scale.breaks) == sorted(set(scale.breaks))
    assert len({*scale.colours}) == len(scale.colours) == len(scale.breaks) + 1
    for level, colour in enumerate(scale.colours):
        assert contrast(INKS[scale.ink(level)], colour) >= 4.5, colour


@pytest.mark.parametrize(
    "share", [0, 0.5, 0.899, LOSING_BELOW, 0.901, 1, 1.099, WINNING_ABOVE, 1.101, 1.5, 2, 40]
)
def test_the_middle_bin_of_shares_is_exactly_what_neither_loses_nor_wins(share):
    level = SHARE.level(100 * share)
    assert outcome(share) == ("losing" if level < FAIR else "fair" if level == FAIR else "winning")


def test_a_value_at_a_break_is_in_the_bin_above_it():
    loss = SCALES["loss"]
    assert [0, 1, 6, 9, 9] == [loss.level(value) for value in (0, 0.01, 2, 20, 100)]
    assert loss.colours[6] == loss.colour(2)


def test_bins_have_words():
    loss = SCALES["loss"]
    assert ["below 0.01", "0.01–0.1", "20 and more"] == [loss.words(level) for level in (0, 1, 9)]
    assert ["90–110", "above 200"] == [SHARE.words(level) for level in (FAIR, 8)]
