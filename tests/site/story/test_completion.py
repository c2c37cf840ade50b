"""The sentences about generated flows, and about services that were measured alone only."""

import pytest

from scripts.figures.figure import SLOWDOWN, SLOWEST, WIRE_RATE
from scripts.site.story.alone import alone_sentences, solos_in
from scripts.site.story.certainty import certainty_sentences
from scripts.site.story.completion import slowdown_sentences, slowdowns_in
from scripts.site.story.names import Names, plain
from scripts.site.story.overview import StoryInput
from scripts.site.story.whole import headline
from tests.site.sample_figures import FAST, SERVICES, SLOW, figure


def slow(contender: str, mean: float, maximum: float, service: str = "video", **more) -> list:
    """Both slowdowns of the flows of a service."""
    more = {"unit": "times"} | more
    return [
        figure(service, contender, name, value, **more)
        for name, value in ((SLOWDOWN, mean), (SLOWEST, maximum))
    ]


def alone(service: str, rate: float, **more):
    return figure(service, "", WIRE_RATE, rate, unit="Mbps", **more)


FIRST, LAST = (
    {"may_be_highest": True, "may_be_lowest": False},
    {"may_be_highest": False, "may_be_lowest": True},
)
"""What tells that a figure is the highest or the lowest, if no other may be it."""


def said(*rows) -> str:
    """The headline of a cycle with these figures, with plain spaces."""
    measured = StoryInput([SLOW, FAST], SERVICES, rows, 10, 0, None)
    return headline(measured, Names(SERVICES)).replace("\u00a0", " ")


def told(*rows) -> str:
    """The sentences of the slow link with plain spaces."""
    sentences = slowdown_sentences(slowdowns_in(rows, "8mbps"), Names(SERVICES))
    return " ".join(map(plain, sentences)).replace("\u00a0", " ")


def test_the_slowest_flow_of_all_pairs_is_the_headline():
    rows = [*slow("bbr", 2, 12), *slow("cubic", 3, 15, setting="50mbps"), *slow("", 1, 40)]
    assert said(*rows).startswith(
        "50 Mbps: The slowest flow of Video over four flows (stand-in for Netflix) beside iPerf (Cubic) took "
        "15.00 times its shortest possible time (95 % interval"
    )


def test_one_flow_is_not_called_the_slowest():
    assert said(*slow("", 3, 3, service="bbr")).startswith("8 Mbps: iPerf (BBR) alone took 3.00 times its")


def test_a_flow_that_did_not_end_is_a_lower_bound():
    assert "took ≥ 12.00 times" in told(*slow("bbr", 2, 12, at_least=11))


def test_few_trials_give_no_claim_and_come_after_many():
    few = slow("bbr", 2, 12, n=2)
    assert said(*few).startswith("8 Mbps: No service has the six trials that a claim needs.")
    assert said(*few).endswith("12.00 times its shortest possible time (seen in 2 trials).")
    assert "took 4.00 times" in said(*few, *slow("cubic", 2, 4))


def test_a_self_pair_counts_with_the_flows_of_both_clients_together():
    rows = [
        *slow("bbr", 9, 9, service="bbr", instance="first"),
        *slow("bbr", 2, 2, service="bbr", instance="second"),
        *slow("bbr", 5, 8, service="bbr", instance="both"),
    ]
    assert told(*rows).startswith(
        "The slowest flow of two instances of iPerf (BBR) took 8.00 times its shortest possible time"
    )


def test_a_setting_names_the_largest_slowdown_and_the_least():
    rows = [
        *slow("bbr", 2, 12, **FIRST),
        *slow("cubic", 2, 4, **LAST),
        *slow("", 1, 1.5),
        *slow("bbr", 2, 99, setting="50mbps", **FIRST),
    ]
    assert told(*rows) == (
        "The slowest flow of Video over four flows (stand-in for Netflix) beside iPerf "
        "(BBR) took 12.00 times its "
        "shortest possible time (95 % interval 10.80 to 13.20 times, n = 10). The least "
        "of 2 such figures: the "
        "slowest flow of the stand-in for Netflix beside iPerf (Cubic) took 4.00 times its shortest possible "
        "time (95 % interval 3.60 to 4.40 times, n = 10)."
    )


def test_a_lower_bound_is_not_called_the_least():
    rows = [*slow("bbr", 2, 12, **FIRST), *slow("cubic", 2, 4, at_least=4, **LAST)]
    assert "The least" not in told(*rows)
    certain = [*rows[:2], *slow("cubic", 2, 4, at_least=4, may_be_lowest=False, may_be_highest=False)]
    assert "The least" in told(*certain, *slow("video", 1, 2, instance="both", **LAST))


def test_slowdowns_that_cannot_be_told_apart_are_counted():
    tied = {"may_be_highest": True, "may_be_lowest": True}
    rows = [*slow("bbr", 2, 12, **tied), *slow("cubic", 2, 11, **tied)]
    others = "; 1 of 1 other pair cannot be told apart from this one"
    assert told(*rows).endswith(f"n = 10){others}.")


def test_a_setting_with_few_trials_says_what_was_seen():
    assert told(*slow("bbr", 2, 12, n=3)).startswith("No service has the six trials that a claim needs.")
    assert told(*slow("bbr", 2, 12, n=3)).endswith("(seen in 3 trials).")


@pytest.mark.parametrize(
    ("contender", "page"), [("", "solos/8mbps/bbr/"), ("cubic", "pairs/8mbps/bbr~cubic/")]
)
def test_a_slowdown_links_to_its_pair_or_solo(contender, page):
    (first,) = slowdown_sentences(slowdowns_in(slow(contender, 2, 3, service="bbr")), Names(SERVICES))
    assert first[0].page == page


def test_services_alone_have_a_headline_of_their_own():
    rows = [alone("bbr", 7.9, **FIRST), alone("cubic", 7.5, **LAST), alone("bbr", 49, setting="50mbps")]
    assert said(*rows).startswith("8 Mbps: iPerf (BBR) alone took 7.90 Mbps of the link (95 % interval")
    assert said(*rows).endswith(", the most of 2 services.")
    assert said(alone("bbr", 7.9, n=2)).endswith("took 7.90 Mbps of the link (seen in 2 trials).")


def test_what_services_take_alone_stands_with_intervals():
    rows = [alone("bbr", 8, **FIRST), alone("cubic", 7, **LAST), alone("video", 1, n=2)]
    sentences = alone_sentences(solos_in(rows, "8mbps"), Names(SERVICES))
    assert " ".join(map(plain, sentences)).replace("\u00a0", " ") == (
        "iPerf (BBR) alone took 8.00 Mbps of the link (95 % interval 7.20 to 8.80 Mbps, "
        "n = 10), the most of 2 "
        "services. The least: iPerf (Cubic) alone took 7.00 Mbps of the link (95 % "
        "interval 6.30 to 7.70 Mbps, "
        "n = 10)."
    )


def test_services_that_take_as_much_alone_are_not_ranked():
    tied = {"may_be_highest": True, "may_be_lowest": True}
    rows = [alone("bbr", 8, **tied), alone("cubic", 7, **tied)]
    sentences = alone_sentences(solos_in(rows, "8mbps"), Names(SERVICES))
    assert len(sentences) == 1
    assert plain(sentences[0]).endswith("; 1 of 1 other service cannot be told apart from this one.")


def test_how_sure_the_slowdowns_are():
    words = certainty_sentences([*slow("bbr", 2, 12), *slow("cubic", 2, 4, n=3)], ["8mbps"], 13, 0)
    assert words[1:] == [
        "1 of 2 slowdowns has the six trials that a claim needs. Every slowdown has 3 to 10 valid "
        "trials. A trial gives "
        "one value, because its flows share one queue.",
        words[-1],
    ]
    assert words[-1].startswith("The intervals are")
