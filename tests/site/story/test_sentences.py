"""The sentences about settings, videos, calls and pages, changes, and how sure all of this is."""

import pytest

from scripts.figures.figure import INSTANCE_DIFFERENCE, WIRE_RATE
from scripts.site.data.summary import SettingSummary
from scripts.site.story.alone import instance_sentences, instances_in
from scripts.site.story.cells import outcome_of, setting_sentences
from scripts.site.story.certainty import certainty_sentences
from scripts.site.story.changes import change_words, changes_in
from scripts.site.story.names import Names, SentencePart, plain, short_place, upper_first
from scripts.site.story.overview import StoryInput
from scripts.site.story.quality import quality_sentences
from scripts.site.story.whole import headline
from tests.site.sample_figures import (
    FAST,
    SERVICES,
    SLOW,
    change,
    figure,
    pair,
    recognised,
    service_change,
    share,
)

BITRATE, LOAD = "video_bitrate_kbps", "web_visually_complete_s"


def joined(sentences) -> str:
    """Sentences as text with plain spaces."""
    return " ".join(map(plain, sentences)).replace("\u00a0", " ")


def setting(*rows) -> str:
    return joined(setting_sentences(outcome_of(rows, "8mbps"), Names(SERVICES)))


def quality(*rows) -> str:
    return joined(quality_sentences(rows, "8mbps", Names(SERVICES)))


def test_the_lowest_share_stands_with_interval_and_n_and_links_to_its_pair():
    rows = pair("cubic", "bbr", (0.5, 1.5))
    (first, *_rest) = setting_sentences(outcome_of(rows, "8mbps"), Names(SERVICES))
    assert first[0].page == "pairs/8mbps/bbr~cubic/"
    assert joined([first]) == (
        "iPerf (Cubic) got only 50 % of its fair share against iPerf (BBR) (95 % interval 45 to "
        "55 %, n = 10)."
    )


def test_the_judged_cells_are_counted_by_verdict():
    rows = [*pair("cubic", "bbr", (0.5, 1.5)), share("cubic", "video", 1.0, low=0.95, high=1.05)]
    rows += [share("video", "cubic", 0.8, low=0.7, high=1.2), *pair("bbr", "video", (0.1, 1.0), n=3)]
    rows.append(share("bbr", "bbr", 0.2))
    assert (
        "Of 4 judged cells, 1 loses (below 90 % of the fair share), 1 wins (above 110 %) and 1 is fair; "
        "1 is undecided."
    ) in setting(*rows)


def test_the_lowest_share_and_the_counts_say_which_shares_still_move():
    rows = [*pair("cubic", "bbr", (0.5, 1.5), settled="still moving"), *pair("video", "bbr", (0.6, 1.4))]
    rows += pair("batched", "bbr", (0.7, 1.3), settled="settled")
    words = setting(*rows)
    assert "(95 % interval 45 to 55 %, n = 10). The share had not settled when the trials ended." in words
    assert "and 0 are fair; 1 of the losing shares still moves." in words
    assert "still" not in setting(*pair("cubic", "bbr", (0.5, 1.5), settled="undecided"))


def test_the_lowest_share_says_that_its_trials_fall_into_two_groups():
    words = "The trials fall into two groups, and the median is between them or in one of them."
    assert words in setting(*pair("cubic", "bbr", (0.5, 1.5), two_outcomes=True))
    assert "two groups" not in setting(*pair("cubic", "bbr", (0.5, 1.5), two_outcomes=False))


def test_two_instances_of_a_service_differ_and_have_no_verdict():
    differences = [figure("bbr", "bbr", INSTANCE_DIFFERENCE, 0.1)]
    assert joined(instance_sentences(instances_in(differences, "8mbps"), Names(SERVICES))) == (
        "Two instances of iPerf (BBR) differ by 10 % of the fair share in the median trial "
        "(95 % interval 9 to 11 %, n = 10)."
    )
    differences.append(figure("cubic", "cubic", INSTANCE_DIFFERENCE, 0.04))
    assert joined(instance_sentences(instances_in(differences, "8mbps"), Names(SERVICES))) == (
        "Two instances of one service differ by 4 % (iPerf (Cubic)) to 10 % (iPerf (BBR)) of the fair share "
        "in the median trial."
    )
    assert setting(share("bbr", "bbr", 0.2)) == "No two services have a valid trial in this setting."


def test_few_trials_give_no_verdict():
    words = setting(*pair("cubic", "bbr", (0.5, 1.5), n=1))
    assert words.startswith("No cell has the six trials") and words.endswith("(seen in 1 trial).")


def test_the_contender_that_lowers_the_bitrate_most_is_named():
    rows = [
        figure("video", "", BITRATE, 5000, unit="kbps"),
        figure("video", "bbr", BITRATE, 3000, unit="kbps"),
        figure("video", "batched", BITRATE, 1600, unit="kbps"),
    ]
    assert quality(*rows) == (
        "Against File in batches of five (stand-in for Mega), the bitrate of Video over four "
        "flows (stand-in for "
        "Netflix) falls from 5.00 Mbps alone (4.50 to 5.50, n = 10) to 1.60 Mbps "
        "(1.44 to 1.76, n = 10)."
    )


def test_a_page_that_takes_longer_is_told_and_a_faster_one_is_not():
    rows = [figure("video", "", LOAD, 0.7, unit="s"), figure("video", "bbr", LOAD, 2.6, unit="s")]
    assert "takes 2.60 s (2.34 to 2.86, n = 10) instead of 0.70 s alone" in quality(*rows)
    faster = [rows[0], figure("video", "bbr", LOAD, 0.2, unit="s")]
    assert quality(*faster) == "Not certainly worse than alone: the load time of pages."


def test_a_time_that_had_not_ended_is_a_lower_bound():
    rows = [
        figure("video", "", LOAD, 0.7, unit="s"),
        figure("video", "bbr", LOAD, 45.0, unit="s", at_least=45.0),
    ]
    assert "takes ≥ 45.00 s" in quality(*rows)


def test_a_worse_quality_in_few_trials_was_only_seen():
    rows = [figure("video", "", LOAD, 0.7, unit="s"), figure("video", "bbr", LOAD, 2.6, unit="s", n=2)]
    assert quality(*rows).startswith("Seen in few trials: Against iPerf (BBR), Video")
    assert "(seen in 2 trials)" in quality(*rows)


def test_without_the_service_alone_there_is_no_comparison():
    assert quality(figure("video", "bbr", LOAD, 2.6, unit="s")) == ""


CONTROL = change("bbr", "cubic", 4.0, 4.0, changed=False, control=True)
STILL = change("video", "bbr", 2.0, 2.1, changed=False)


def changes(*rows, services=(), recognised=()) -> str:
    words = change_words(changes_in(rows, services, recognised), "2026-11-01", Names(SERVICES)) or ""
    return words.replace("\u00a0", " ")


def baseline(service, low, high, verdict):
    return service_change(service, low, high, verdict, control=True)


def test_the_changed_cells_are_counted_and_the_control_group_comes_last():
    rows = [change("cubic", "video", 2.0, 2.1), change("bbr", "cubic", 2.0, 5.0), CONTROL]
    assert changes(*rows, services=[baseline("bbr", -0.02, 0.051, "as before")]) == (
        "Since cycle 2026-11-01, 2 of 2 cells changed. In the control group the only cell did not change. "
        "The trials rule out that a baseline differs by more than ±6 % over all its pairs: the testbed "
        "measures as before."
    )


def test_a_service_that_is_recognised_as_another_family_comes_first():
    found = [
        recognised("cubic", "BBRv1-like", before="Cubic-like"),
        recognised("cubic", "BBRv1-like", before="Cubic-like", setting="50mbps"),
        recognised("bbr", "BBRv1-like", before="BBRv1-like"),
        recognised("video", "unknown", before="Reno-like"),
    ]
    words = (
        "Recognised as another family of congestion controllers than before: iPerf (Cubic) (Cubic-like, now "
    )
    assert f"{words}BBRv1-like)." == changes(recognised=found)
    assert changes(STILL, recognised=found).startswith(
        f"{words}BBRv1-like). Since cycle 2026-11-01, the only cell did not change."
    )
    assert "" == changes(recognised=found[2:])


def test_as_before_is_said_only_if_every_baseline_is_within_the_margin():
    found = [baseline("bbr", -0.02, 0.05, "as before"), baseline("cubic", -0.13, 0.05, "undecided")]
    assert changes(STILL, CONTROL, services=found).endswith(
        "The trials rule out only that a baseline differs by more than ±13 % over all its pairs. So it is "
        "not known whether the testbed measures as before, within ±10 %."
    )


@pytest.mark.parametrize("found", [(), (baseline("bbr", None, None, "undecided"),)])
def test_too_few_trials_do_not_tell_whether_the_testbed_measures_as_before(found):
    assert changes(STILL, CONTROL, services=found).endswith(
        "Its trials are too few to tell whether the testbed measures as before."
    )


def test_a_changed_cell_of_the_control_group_takes_the_others_their_meaning():
    rows = [STILL, change("bbr", "cubic", 4.0, 2.0, control=True)]
    assert changes(*rows) == (
        "Since cycle 2026-11-01, the only cell did not change. 1 of 1 cell of the control group changed, so "
        "no change of a cell can be attributed to a service."
    )


def test_a_baseline_that_changed_is_a_change_of_the_testbed():
    found = [baseline("cubic", -0.3, -0.2, "changed"), baseline("bbr", 0.0, 0.05, "as before")]
    assert changes(STILL, CONTROL, services=found).endswith(
        "The testbed changed: what iPerf (Cubic) gets in the control group differs by over 10 %. No change "
        "can be attributed to a service."
    )


def test_without_compared_cells_nothing_is_said():
    assert changes(share("cubic", "bbr", 0.5)) == ""


def test_cells_of_a_cycle_that_goes_on_have_their_trials_without_a_verdict():
    rows = [*pair("cubic", "bbr", (0.9, 1.1), n=6, verdict="provisional")]
    rows += pair("cubic", "video", (1.0, 0.8), n=4)
    words = certainty_sentences(rows, ["8mbps"], 20, 0)[1].replace("\u00a0", " ")
    assert words == (
        "2 of 4 cells have the six trials that a verdict needs. Every cell has 4 to 6 valid trials."
    )


def test_how_sure_the_results_are():
    rows = [*pair("cubic", "bbr", (0.5, 1.5)), *pair("cubic", "video", (1.0, 0.8), n=3)]
    rows += pair("bbr", "video", (0.0, 1.9), verdict=None)
    words = [text.replace("\u00a0", " ") for text in certainty_sentences(rows, ["8mbps"], 1234, 1)]
    assert words[:3] == [
        "1,234 trials count; 1 is excluded.",
        "2 of 4 cells have the six trials that a verdict needs. Every cell has 3 to 10 valid trials.",
        "2 cells have no result: one of their services cannot do alone what it must.",
    ]
    assert words[3].startswith("The intervals are 95 % intervals of the median.")


def test_two_stand_ins_for_one_service_keep_their_titles():
    names = Names(
        [SERVICES[0], SERVICES[1].__class__("other", "File (BBR)", "File", "throughput", stands_for="Mega")]
    )
    assert [names.of("other"), names.of("other")] == ["File (BBR) (stand-in for Mega)", "File (BBR)"]
    assert plain((SentencePart("a"), SentencePart("b", "page"))) == "ab"


def test_a_setting_has_the_shortest_title_that_no_other_one_has():
    far = SettingSummary("far", "Highly constrained (8 Mbps, 100 ms)", 8, "a link")
    deep = SettingSummary("deep", "Deep queue (8 Mbps, 50 ms)", 8, "a link")
    other = SettingSummary("other", "Deep queue (8 Mbps, 100 ms)", 8, "a link")
    assert "8\u00a0Mbps" == short_place(SLOW, [SLOW, FAST])
    assert "8 Mbps, 100 ms" == short_place(far, [SLOW, FAST, far])
    assert "Deep queue" == short_place(deep, [SLOW, deep, far])
    assert other.heading == short_place(other, [deep, far, other])


def test_a_setting_whose_title_is_its_link_is_not_named_twice():
    near, far = (SettingSummary(f"rtt-{rtt}", f"8 Mbps, {rtt} ms", 8, "a link") for rtt in (20, 100))
    assert "8 Mbps, 20 ms" == short_place(near, [near, far])


def test_the_headline_is_about_a_setting_with_verdicts_if_there_is_one():
    solos = [
        figure(name, "", WIRE_RATE, 8.0, setting=setting.name, n=n, unit="Mbps")
        for setting, n in ((SLOW, 2), (FAST, 6))
        for name in ("bbr", "cubic")
    ]
    told = headline(StoryInput((SLOW, FAST), SERVICES, solos, 16, 0, None), Names(SERVICES))
    assert told.startswith("50\u00a0Mbps: iPerf (")


@pytest.mark.parametrize(
    ("text", "begins"),
    [("no pair", "No"), ("iPerf (Cubic)", "iPerf"), ("ngtcp2 (Cubic)", "ngtcp2"), ("Reno", "Reno")],
)
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name(text, begins):
    assert upper_first(text).startswith(begins)
