"""The calibration's sender: what it sends and what it tells of it."""

import socket

import pytest

from services.drivers import calibrate
from tests.environment import own_loopback

PROBES = {"frame_bytes": 100, "count": 5, "gap_us": 1000}
FLOOD = {"frame_bytes": 200, "burst_packets": 10, "gap_us": 10_000, "seconds": 0.05, "drain_s": 0}


@pytest.fixture
def sent():
    """What it told, and the payload sizes that arrived, in order."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
        sink.bind((own_loopback(1), calibrate.DATA_PORT))
        sink.setblocking(False)
        schedule = {"lead_s": 0, "probes": PROBES, "floods": [FLOOD]}
        told = calibrate._send(schedule, own_loopback(2), own_loopback(1))
        sizes = []
        while True:
            try:
                sizes.append(len(sink.recv(2000)))
            except BlockingIOError:
                return told, sizes


def test_every_packet_of_the_schedule_arrives_in_its_size(sent):
    told, sizes = sent
    assert [58] * 5 == sizes[:5], "42 bytes of the frame are headers"
    assert [158] * told["sent"]["200"] == sizes[5:]
    assert 10 <= told["sent"]["200"] <= 16


def test_probes_are_never_early_and_their_lateness_is_ordered(sent):
    told, _ = sent
    assert 5 == told["probes_sent"]
    assert 0 <= told["late_p50_us"] <= told["late_p99_us"] <= told["late_max_us"]


def test_a_percentile_is_a_value_that_occurred():
    hundred = [float(number) for number in range(1, 101)]
    assert [50, 99, 100] == [calibrate._percentile(hundred, fraction) for fraction in (0.5, 0.99, 1)]
    assert 7 == calibrate._percentile([7.0], 0.99)
