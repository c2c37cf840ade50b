"""Bytes that arrive at the host."""

import pytest

from services import arrivals
from services.arrivals import Arrivals


@pytest.fixture
def host(monkeypatch):
    """A clock and a counter of the test's own."""
    state = {"now": 100.0, "bytes": 5_000}
    monkeypatch.setattr(arrivals.time, "time", lambda: state["now"])
    monkeypatch.setattr(arrivals, "_counted", lambda: state["bytes"])
    return state


def later(host: dict, counted: Arrivals, seconds: float, size: int) -> None:
    host["now"] += seconds
    host["bytes"] += size
    counted.note()


def test_only_what_comes_from_now_on_counts(host):
    counted = Arrivals()
    assert counted.received_bytes == 0
    later(host, counted, 0.5, 700)
    assert counted.received_bytes == 700


def test_little_is_silence(host):
    counted = Arrivals()
    for _ in range(4):
        later(host, counted, 1, 2_500)
    assert counted.idle_s == 4
    later(host, counted, 1, 1)
    assert counted.idle_s == 0, "more than 10 kB in all"


def test_intervals_are_whole_seconds_from_when_the_page_began(host):
    counted = Arrivals()
    for size in (10, 20, 30, 40, 50, 60):
        later(host, counted, 0.5, size)
    assert counted.intervals(100.0) == [[0.0, 1.0, 30], [1.0, 2.0, 70], [2.0, 3.0, 110]]
    assert counted.intervals(100.75) == [[0.25, 1.25, 70], [1.25, 2.25, 110]]
