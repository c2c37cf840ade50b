"""The calibration's sender: the packets it sends and the result it reports."""

import socket

import pytest

from scripts.model.services import Flood, Probes, Schedule
from services.drivers import calibrate
from tests.environment import own_loopback

PROBES = Probes(frame_bytes=100, count=5, gap_us=1000)
FLOOD = Flood(frame_bytes=200, burst_packets=10, gap_us=10_000, seconds=0.05, drain_s=0)
SOURCE, SINK = own_loopback(1), own_loopback(2)
"""Loopback addresses of this process alone: the ports are fixed."""


@pytest.fixture
def sent():
    """The sender's result, and the payload sizes that arrived, in order."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind((SINK, calibrate.DATA_PORT))
        sink.setblocking(False)
        schedule = Schedule(lead_s=0, probes=PROBES, floods=(FLOOD,))
        result = calibrate._send(schedule, SOURCE, SINK)
        sizes = []
        while True:
            try:
                sizes.append(len(sink.recv(2000)))
            except BlockingIOError:
                return result, sizes


def test_every_packet_of_the_schedule_arrives_with_its_size(sent):
    result, sizes = sent
    assert [58] * 5 == sizes[:5], "42 bytes of the frame are headers"
    assert [158] * result["sent"]["200"] == sizes[5:]
    assert 10 <= result["sent"]["200"] <= 16


def test_probes_are_never_early_and_their_lateness_is_ordered(sent):
    result, _ = sent
    assert 5 == result["probes_sent"]
    assert 0 <= result["late_p50_us"] <= result["late_p99_us"] <= result["late_max_us"]


def test_a_percentile_is_a_value_that_occurred():
    hundred = [float(number) for number in range(1, 101)]
    assert [50, 99, 100] == [calibrate._percentile(hundred, fraction) for fraction in (0.5, 0.99, 1)]
    assert 7 == calibrate._percentile([7.0], 0.99)
