"""The finding of a cycle in one sentence."""

import pytest

from scripts.figures.figure import INSTANCE_DIFFERENCE
from scripts.site.story.headline import headline
from scripts.site.story.names import Names
from tests.site.sample_figures import FAST, SERVICES, SLOW, figure, pair, share


def said(*rows, settings=(SLOW, FAST)) -> str:
    """The headline of these figures, with plain spaces."""
    return headline(settings, rows, Names(SERVICES)).replace("\u00a0", " ")


def test_it_says_who_leaves_how_little_to_whom_on_the_slow_and_on_the_fast_link():
    slow = pair("video", "batched", (0.12, 1.8))
    fast = pair("cubic", "bbr", (0.3, 1.6), setting="50mbps")
    assert said(*slow, *fast) == (
        "At 8 Mbps, File in batches of five (stand-in for Mega) leaves Video over four flows "
        "(stand-in for Netflix) "
        "12 % of its fair share; at 50 Mbps, iPerf (BBR) leaves iPerf (Cubic) 30 % of its fair share"
    )


def test_one_pair_that_is_the_worst_on_both_links_is_named_once():
    rows = [*pair("cubic", "bbr", (0.1, 1.8)), *pair("cubic", "bbr", (0.3, 1.6), setting="50mbps")]
    assert said(*rows) == (
        "iPerf (BBR) leaves iPerf (Cubic) 10 % of its fair share at 8 Mbps and 30 % at 50 Mbps"
    )


def test_a_share_that_still_moves_is_no_finding_without_these_words():
    slow = pair("video", "bbr", (0.12, 1.8))
    moving = pair("cubic", "bbr", (0.3, 1.6), setting="50mbps", settled="still moving")
    assert said(*slow, *moving).endswith(
        "12 % of its fair share; at 50 Mbps, iPerf (BBR) leaves iPerf (Cubic) 30 % of its fair share, "
        "and this share still moves"
    )
    for other in ("settled", "undecided", None):
        row = pair("cubic", "bbr", (0.3, 1.6), settled=other)
        assert said(*row, settings=[SLOW]).endswith("30 % of its fair share")


@pytest.mark.parametrize(
    ("moving", "words"),
    [
        ((), "10 % of its fair share at 8 Mbps and 30 % at 50 Mbps"),
        (("8mbps",), "30 % at 50 Mbps, and the share at 8 Mbps still moves"),
        (("50mbps",), "30 % at 50 Mbps, and the share at 50 Mbps still moves"),
        (("8mbps", "50mbps"), "30 % at 50 Mbps, and both shares still move"),
    ],
)
def test_of_a_pair_on_two_links_it_says_which_share_still_moves(moving, words):
    settled = {name: "still moving" if name in moving else "settled" for name in ("8mbps", "50mbps")}
    rows = pair("cubic", "bbr", (0.1, 1.8), settled=settled["8mbps"])
    rows += pair("cubic", "bbr", (0.3, 1.6), setting="50mbps", settled=settled["50mbps"])
    assert said(*rows).endswith(words)


def test_a_stand_in_mentioned_again_keeps_what_it_stands_for():
    slow = pair("video", "batched", (0.12, 1.8))
    fast = pair("bbr", "batched", (0.3, 1.6), setting="50mbps")
    assert said(*slow, *fast).endswith(
        "at 50 Mbps, the stand-in for Mega leaves iPerf (BBR) 30 % of its fair share"
    )


def test_where_nothing_is_unfair_it_says_so():
    sure = {"low": 0.93, "high": 1.07}
    rows = pair("cubic", "bbr", (0.98, 1.02), **sure) + pair("cubic", "bbr", (1, 1), setting="50mbps", **sure)
    assert said(*rows) == "At 8 Mbps, no service loses; at 50 Mbps, no service loses"


def test_a_share_near_fair_with_a_wide_interval_does_not_say_that_nobody_loses():
    rows = pair("cubic", "bbr", (0.98, 1.02), low=0.6, high=1.4)
    assert said(*rows, settings=[SLOW]) == "At 8 Mbps, no service certainly loses"


def test_an_interval_that_includes_the_fair_share_is_no_loss():
    rows = pair("cubic", "bbr", (0.5, 1.5), low=0.4, high=1.1)
    assert said(*rows, settings=[SLOW]) == "At 8 Mbps, no service certainly loses"


def test_below_six_trials_it_says_what_was_seen():
    rows = pair("cubic", "bbr", (0.1, 1.8), n=2)
    assert said(*rows) == (
        "Too few trials for a verdict: at 8 Mbps, iPerf (Cubic) got 10 % of its fair share "
        "against iPerf (BBR), "
        "seen in 2 trials"
    )


def test_a_lower_share_from_few_trials_is_no_finding_beside_a_judged_one():
    rows = [*pair("cubic", "bbr", (0.4, 1.5)), *pair("video", "batched", (0.01, 1.9), n=5)]
    assert (
        said(*rows, settings=[SLOW]) == "At 8 Mbps, iPerf (BBR) leaves iPerf (Cubic) 40 % of its fair share"
    )


def test_a_service_that_is_unable_alone_is_no_loser():
    fair = pair("cubic", "bbr", (0.98, 1.02), low=0.93, high=1.07)
    rows = [*fair, *pair("video", "bbr", (0.0, 1.9), verdict=None)]
    assert said(*rows, settings=[SLOW]) == "At 8 Mbps, no service loses"


def test_two_instances_of_one_service_have_no_loser():
    """The worse of two gets less in every trial, by chance alone, too."""
    itself = [share("bbr", "bbr", 0.1), figure("bbr", "bbr", INSTANCE_DIFFERENCE, 0.3)]
    rows = [*itself, *pair("cubic", "bbr", (0.4, 1.5))]
    assert "leaves iPerf (Cubic) 40 %" in said(*rows, settings=[SLOW])
    rows = [*itself, *pair("cubic", "bbr", (1.0, 1.0), low=0.95, high=1.05)]
    assert said(*rows, settings=[SLOW]) == "At 8 Mbps, no service loses"
    differ = "At 8 Mbps, two instances of iPerf (BBR) differ by 30 % of the fair share in the median trial"
    assert differ == said(*itself, settings=[SLOW])


def test_links_of_one_rate_are_told_apart_by_their_headings():
    settings = [SLOW, FAST.__class__("codel", "CoDel (8 Mbps)", 8, "a link")]
    rows = [*pair("cubic", "bbr", (0.9, 1.1)), *pair("cubic", "bbr", (0.2, 1.5), setting="codel")]
    assert said(*rows, settings=settings).startswith("In the setting “CoDel (8 Mbps)”, iPerf (BBR) leaves")


def test_without_a_valid_trial_there_is_no_finding():
    assert said() == said(share("cubic", "bbr", None)) == "No two services have a valid trial yet"


def test_where_only_pages_are_measured_it_says_what_competition_does_to_them():
    """What a service takes alone comes after that."""
    load = "web_visually_complete_s"
    rows = [
        figure("video", "", "wire_rate_mbps", 3.0, unit="Mbps"),
        figure("video", "", load, 2.7, unit="s"),
        figure("video", "bbr", load, 4.4, unit="s"),
        figure("video", "batched", load, 6.5, unit="s"),
    ]
    assert said(*rows) == (
        "At 8 Mbps, against File in batches of five (stand-in for Mega), Video over four flows "
        "(stand-in for Netflix) takes 6.50 s instead of 2.70 s to show 95 % of itself"
    )
    assert "alone took" in said(*rows[:2])
