"""Bytes that arrive at the host."""

import pytest

from services import live_page
from services.live_page import ReceivedTraffic


@pytest.fixture
def host(monkeypatch):
    """A clock and a byte counter that the test controls."""
    state = {"now": 100.0, "bytes": 5_000}
    monkeypatch.setattr(live_page.time, "time", lambda: state["now"])
    monkeypatch.setattr(live_page, "_counter", lambda: state["bytes"])
    return state


def receive(host: dict, traffic: ReceivedTraffic, seconds: float, size: int) -> None:
    """Let time pass and bytes arrive, then take a sample."""
    host["now"] += seconds
    host["bytes"] += size
    traffic.sample()


def test_only_bytes_after_the_start_count(host):
    traffic = ReceivedTraffic()
    assert traffic.received_bytes == 0
    receive(host, traffic, 0.5, 700)
    assert traffic.received_bytes == 700


def test_a_few_bytes_count_as_silence(host):
    traffic = ReceivedTraffic()
    for _ in range(4):
        receive(host, traffic, 1, 2_500)
    assert traffic.idle_s == 4
    receive(host, traffic, 1, 1)
    assert traffic.idle_s == 0, "more than 10 kB in all"


def test_intervals_last_a_second_and_start_after_the_page_began(host):
    traffic = ReceivedTraffic()
    for size in (10, 20, 30, 40, 50, 60):
        receive(host, traffic, 0.5, size)
    assert traffic.intervals(100.0) == [[0.0, 1.0, 30], [1.0, 2.0, 70], [2.0, 3.0, 110]]
    assert traffic.intervals(100.75) == [[0.25, 1.25, 70], [1.25, 2.25, 110]]
