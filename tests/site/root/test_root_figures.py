"""Figures in words, and which figures a history shows."""

from dataclasses import replace

import pytest

from scripts.figures.figure import SHARE, THROUGHPUT, Figure
from scripts.figures.words import amount, interval_words, median_words, title_of
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.history import History
from scripts.snapshot.absent import Tombstone
from tests.site.root.sample_archive import FIRST
from tests.site.root.sample_summaries import make_summary

RATE = Figure(
    *("8mbps", "a~b", "a", "b", "first", THROUGHPUT, "Mbps", 10, 4.125, 3.5, 4.75),
    *(None, None, None, None, None, None, None),
)


def cycle(*figures: Figure) -> Cycle:
    """A cycle with these figures."""
    return Cycle((make_summary(FIRST, ["a", "b"]),), (Tombstone(),), figures)


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.474, "fraction", "47\u00a0%"),
        (4.126, "Mbps", "4.13\u00a0Mbps"),
        (2500.0, "kbps", "2.50\u00a0Mbps"),
        (720.0, "lines", "720\u00a0lines"),
        (None, "Mbps", "–"),
    ],
)
def test_a_value_is_written_with_its_unit(value, unit, words):
    assert amount(value, unit) == words


def test_a_censored_median_is_a_lower_bound():
    load = replace(RATE, figure="web_visually_complete_s", unit="s", median=45.0, at_least=45.0)
    assert median_words(load) == "≥\u00a045.00\u00a0s"
    assert median_words(replace(load, median=44.0)) == "44.00\u00a0s"


def test_an_interval_is_written_only_if_there_is_one():
    assert interval_words(RATE) == "3.50 to 4.75"
    assert interval_words(replace(RATE, low=None, high=None)) == ""


def test_an_end_of_an_interval_that_is_a_lower_bound_is_marked():
    assert interval_words(replace(RATE, at_least=4.0)) == "3.50 to ≥\u00a04.75"
    assert interval_words(replace(RATE, at_least=3.5)) == "≥\u00a03.50 to ≥\u00a04.75"


def test_metrics_of_videos_calls_and_pages_have_their_titles():
    assert title_of("video_bitrate_kbps") == "Bitrate"
    assert title_of("queueing_delay_ms") == "Queueing delay"


def test_a_side_with_neither_share_nor_throughput_shows_what_its_users_see():
    load = replace(RATE, service="b", contender="a", figure="web_speed_index_s", unit="s")
    share = replace(RATE, figure=SHARE, unit="fraction")
    measured = {
        ("a", "b", "first"): {SHARE: share, THROUGHPUT: RATE},
        ("b", "a", "first"): {load.figure: load},
    }
    history = History("watchdog", "8mbps", "a~b", ((cycle(), measured),))
    assert history.shown == [SHARE, THROUGHPUT, "web_speed_index_s"]
