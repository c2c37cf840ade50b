"""The finding of a cycle in which no two services are compared by their shares, in one sentence."""

from scripts.figures.figure import INSTANCE_DIFFERENCE
from scripts.site.story.names import Names
from scripts.site.story.overview import StoryInput
from scripts.site.story.whole import headline
from tests.site.sample_figures import FAST, SERVICES, SLOW, figure, share


def said(*rows, settings=(SLOW, FAST)) -> str:
    """The headline of these figures, with plain spaces."""
    measured = StoryInput(settings, SERVICES, rows, 10, 0, None)
    return headline(measured, Names(SERVICES)).replace("\u00a0", " ")


def test_two_instances_of_one_service_differ_and_have_no_loser():
    itself = [share("bbr", "bbr", 0.1), figure("bbr", "bbr", INSTANCE_DIFFERENCE, 0.3)]
    differ = "8 Mbps: Two instances of iPerf (BBR) differ by 30 % of the fair share in the median trial"
    assert said(*itself).startswith(differ)


def test_links_of_one_rate_are_told_apart_by_their_titles():
    settings = [SLOW, FAST.__class__("codel", "CoDel (8 Mbps, 50 ms)", 8, "a link")]
    alone = figure("bbr", "", "wire_rate_mbps", 3.0, unit="Mbps", setting="codel")
    assert said(alone, settings=settings).startswith("CoDel: iPerf (BBR) alone took")


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
    assert said(*rows).startswith(
        "8 Mbps: Against File in batches of five (stand-in for Mega), Video over four flows "
        "(stand-in for Netflix) takes 6.50 s"
    )
    assert "alone took" in said(*rows[:2])
