"""A share is called the lowest only if its rank is certain, and stands without the chance that made it so."""

from dataclasses import replace

from scripts.site.story.cells import outcome_of, setting_sentences
from scripts.site.story.names import Names, plain
from scripts.site.story.worst_pair import pair_entry, worst_pair
from tests.site.sample_figures import SERVICES, SLOW, pair

SHRUNK = {"shrunk": 0.55, "shrunk_low": 0.4, "shrunk_high": 0.7}


def sides(one: str, other: str, shares: tuple[float, float], first: bool, **more) -> list:
    """The shares of a pair, of which the first may be the lowest of all or not."""
    worse, better = pair(one, other, shares, **more)
    return [replace(worse, may_be_lowest=first), replace(better, may_be_lowest=False)]


def told(*rows) -> str:
    sentences = setting_sentences(outcome_of(rows, "8mbps"), Names(SERVICES))
    return " ".join(map(plain, sentences)).replace("\u00a0", " ")


LOSING = sides("bbr", "video", (0.5, 1.5), True, **SHRUNK)


def test_the_lowest_share_is_shrunk_and_named_if_no_other_may_be_the_lowest():
    words = told(*LOSING, *sides("bbr", "cubic", (0.8, 1.2), False))
    assert words.startswith(
        "iPerf (BBR) got only 55 % of its fair share against Video over four flows (stand-in for Netflix) "
        "(95 % interval 40 to 70 %, corrected for chance; median 50 %, n = 10). This is the most unfair pair."
    )


def test_pairs_that_cannot_be_told_apart_from_it_are_counted():
    words = told(*LOSING, *sides("bbr", "cubic", (0.6, 1.4), True))
    assert "1 of 1 other pair cannot be told apart from this one." in words
    assert "most unfair" not in words


def test_a_loser_is_not_called_the_most_unfair_if_a_lower_share_is_undecided():
    lower = sides("video", "cubic", (0.4, 1.6), True)
    rows = [replace(row, verdict="undecided") for row in lower] + sides("bbr", "video", (0.5, 1.5), False)
    words = told(*rows)
    assert words.startswith("iPerf (BBR) got only 50 %")
    assert "most unfair" not in words
    assert "told apart" not in words


def test_without_a_loser_no_share_is_called_the_lowest_unless_it_is():
    rows = [*sides("bbr", "video", (0.95, 1.05), True), *sides("bbr", "cubic", (0.97, 1.03), True)]
    words = told(*rows)
    assert "2 of 2 pairs cannot be told apart by their lower shares." in words
    assert "lowest share" not in words
    certain = [*rows[:2], *sides("bbr", "cubic", (0.99, 1.01), False)]
    assert "The lowest share: iPerf (BBR) got 95 %" in told(*certain)


def test_a_single_pair_is_compared_with_none():
    assert "The lowest share" in told(*sides("bbr", "video", (0.9, 1.1), True))
    both = [replace(row, may_be_lowest=True) for row in pair("bbr", "video", (0.99, 1.01))]
    assert "lowest" not in told(*both)
    assert "told apart" not in told(*both)


def test_a_cycle_that_was_published_before_has_no_ranks():
    assert "told apart" not in told(*pair("bbr", "video", (0.5, 1.5)))


def test_the_pair_at_the_top_has_the_shrunk_share():
    entry = pair_entry(worst_pair(LOSING, [SLOW.name]), LOSING, [SLOW], Names(SERVICES))
    assert entry["before"].endswith("leaves iPerf (BBR) ") and entry["share"] == "55\u00a0% of its fair share"
