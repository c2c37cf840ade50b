"""A trace: the queue and the bytes in flight in the minute after slow start."""

from dataclasses import replace

import numpy as np
import pytest

from scripts.model.settings import ClientPath
from scripts.plan.campaign_file import load_campaign
from scripts.recognition.traces import CHANNELS, SAMPLES, LinkKey, SoloSeries, trace_of
from tests.recognition.hand_traces import LINK, STARTS, bbr, cubic, reno, series_of


def test_a_trace_has_a_minute_in_tenths_of_a_second():
    assert (600, len(CHANNELS)) == (SAMPLES, 2)
    assert (SAMPLES, 2) == trace_of(reno(15), LINK).shape


def test_it_begins_with_the_first_drop():
    trace = trace_of(cubic(6), LINK)
    assert trace[0, 0] == pytest.approx(1)
    assert trace[1, 0] < 0.9


def test_without_a_drop_it_begins_where_the_queue_is_longest():
    levels = np.full(700, LINK.bdp_packets + 10)
    levels[40] += 20
    trace = trace_of(series_of(levels), LINK)
    assert trace[0, 0] == pytest.approx(30 / LINK.queue_packets)
    assert trace[1, 0] == pytest.approx(10 / LINK.queue_packets)


def test_a_drop_after_the_slow_start_does_not_begin_it():
    levels = np.full(700, LINK.bdp_packets + 10)
    levels[5] += 20
    trace = trace_of(series_of(levels, drops=[90]), LINK)
    assert trace[0, 0] == pytest.approx(30 / LINK.queue_packets)


def test_in_flight_is_what_is_queued_and_what_left_within_the_base_rtt():
    levels = np.full(700, LINK.bdp_packets + 64)
    trace = trace_of(series_of(levels), LINK)
    assert trace[300] == pytest.approx([0.5, (LINK.bdp_packets + 64) / (LINK.bdp_packets + 128)], rel=0.01)


@pytest.mark.parametrize("rtt_ms", [20, 50, 100, 250])
def test_what_left_counts_over_exactly_one_rtt(rtt_ms):
    link = LinkKey(8, rtt_ms, 1000)
    packets = np.full(700, 10.0)
    trace = trace_of(SoloSeries(np.zeros(700), packets * 1500, np.zeros(700)), link)
    expected = 100 * rtt_ms / 1e3 / (1000 + link.bdp_packets)
    assert trace[300, 1] == pytest.approx(expected)


def test_a_trial_that_is_too_short_has_no_trace():
    """Slow start ends 20 slots after the first packet."""
    assert trace_of(reno(15, slots=SAMPLES + 18), LINK) is None
    assert trace_of(reno(15, slots=SAMPLES + 19), LINK) is not None


def test_a_service_that_sends_nothing_has_no_trace():
    nothing = np.zeros(700)
    assert trace_of(SoloSeries(nothing * np.nan, nothing, nothing), LINK) is None


def test_slots_without_packets_have_an_empty_queue():
    series = bbr()
    series.backlog_packets[STARTS + 200] = np.nan
    assert not np.isnan(trace_of(series, LINK)).any()


SETTING = load_campaign("recognition").settings["8mbps-rtt-ms-50"]


def test_the_link_of_a_setting():
    assert LINK == LinkKey.of(SETTING)


@pytest.mark.parametrize(
    "changes",
    [
        {"discipline": "codel"},
        {"random_loss": 0.01},
        {"rtt": "real"},
        {"queue_packets": None, "queue_bytes": 190_000},
        {"clients": (ClientPath(rtt_ms=20),)},
    ],
)
def test_traces_of_other_links_are_not_comparable(changes):
    assert LinkKey.of(replace(SETTING, **changes)) is None
