"""How long flows take until their shares are steady: the numbers of measurements, and by hand."""

import pytest

from scripts.metrics.settling import (
    bbr_warm_up_s,
    cubic_recovery_s,
    full_window_packets,
    loaded_rtt_s,
    reno_recovery_s,
)

MEASURED = 10e6 / 8 / 1500, 0.04
"""10 Mbps in packets of 1500 bytes, and 40 ms."""
BDP_PACKETS = MEASURED[0] * MEASURED[1]
FIFTY = 50e6 / 8 / 1538, 0.05
"""50 Mbps in full frames, and 50 ms."""


def test_the_loaded_rtt_at_32_bdp_is_33_round_trips():
    assert pytest.approx(33 * 0.04) == loaded_rtt_s(*MEASURED, 32 * BDP_PACKETS)


@pytest.mark.parametrize(
    ("queue_bdp", "seconds"), [(0, 120), (0.5, 120), (4, 120), (8, 120), (16, 240), (32, 360), (64, 480)]
)
def test_bbr_needs_two_minutes_and_two_more_for_each_doubling_of_a_deep_queue(queue_bdp, seconds):
    assert pytest.approx(seconds) == bbr_warm_up_s(*MEASURED, queue_bdp * BDP_PACKETS)


def test_what_a_deep_queue_adds_is_in_proportion_to_the_rtt():
    rate_pps, rtt_s = MEASURED
    for factor in (0.5, 1, 2):
        queue_packets = 32 * rate_pps * rtt_s * factor
        assert pytest.approx(120 + 240 * factor) == bbr_warm_up_s(rate_pps, rtt_s * factor, queue_packets)


def test_eight_gain_cycles_of_loaded_rtts_are_the_least():
    """At 400 ms and 8 BDP a loaded RTT is 3.6 s, and 64 are 230 s. Without an RTT the queue is all."""
    rate_pps = MEASURED[0]
    assert pytest.approx(64 * 3.6) == bbr_warm_up_s(rate_pps, 0.4, 8 * rate_pps * 0.4)
    assert pytest.approx(64 * 5) == bbr_warm_up_s(rate_pps, 0, 5 * rate_pps)


@pytest.mark.parametrize(("queue_packets", "window", "seconds"), [(1024, 1227, 139), (2048, 2251, 468)])
def test_a_recovery_of_reno_at_50_mbps(queue_packets, window, seconds):
    assert pytest.approx(window, abs=1) == full_window_packets(*FIFTY, queue_packets)
    assert pytest.approx(seconds, abs=1) == reno_recovery_s(*FIFTY, queue_packets)
    assert pytest.approx(seconds / 2, abs=1) == reno_recovery_s(*FIFTY, queue_packets, flows=2)


def test_reno_waits_for_round_trips_while_the_queue_is_empty():
    """100 packets a second, 1 s: without a queue, W is 100 packets, and a recovery 50 rounds of 1 s.

    With a queue of 100 packets, W falls from 200 to the 100 that fill the link: 100 rounds of 1 to 2 s.
    """
    assert pytest.approx(50) == reno_recovery_s(100, 1, 0)
    assert pytest.approx(150) == reno_recovery_s(100, 1, 100)


def test_reno_recovers_like_a_sender_that_counts_its_rounds():
    """Round by round: one packet more, in the time that the link needs for the window."""
    rate_pps, rtt_s, queue_packets = *FIFTY, 150
    window, seconds = full_window_packets(*FIFTY, queue_packets) / 2, 0.0
    while window < full_window_packets(*FIFTY, queue_packets):
        seconds += max(rtt_s, window / rate_pps)
        window += 1
    assert pytest.approx(seconds, rel=0.01) == reno_recovery_s(*FIFTY, queue_packets)


def test_cubic_recovers_after_k_and_never_later_than_reno():
    """RFC 9438: cbrt(800 * 0.3 / 0.4) s is 8.43 s. With W of ten packets, 10 ms: Reno takes five rounds."""
    assert pytest.approx(8.434, abs=0.001) == cubic_recovery_s(1000, 0.3, 500)
    assert pytest.approx((400 * 0.75) ** (1 / 3)) == cubic_recovery_s(1000, 0.3, 500, flows=2)
    assert pytest.approx(0.05) == cubic_recovery_s(1000, 0.01, 0) == reno_recovery_s(1000, 0.01, 0)
