"""Slowdown, and completion times under SRPT, its ideal."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.completion import slowdown, srpt_completion_times

TICKS = st.lists(
    st.tuples(st.integers(min_value=0, max_value=12), st.integers(min_value=1, max_value=8)),
    min_size=1,
    max_size=7,
)


@pytest.mark.parametrize(
    ("fct_s", "size_bytes", "rate_bps", "rtt_s", "expected"),
    [
        (2.5, 562_500, 10e6, 0.05, 5),
        (62, 74_937_500, 10e6, 0.05, 62 / 60),
        (0.2, 12, 100e6, 0.1, 2),
        (2, 1_000_000, 8e6, 0, 2),
        (1.1, 1_000_000, 8e6, 0.1, 1),
        (1, 1_000_000, 8e6, 1, 0.5),
        (0, 1_000, 8e6, 0.05, 0),
    ],
)
def test_slowdown_by_hand_and_of_the_paper(fct_s, size_bytes, rate_bps, rtt_s, expected):
    """2 s more than 0.5 s is 5, 2 s more than 60 s 1.033, two RTTs 2: Zapletal and Kuipers 2023, 3.2, 4."""
    assert pytest.approx(expected, rel=1e-4) == slowdown(fct_s, size_bytes, rate_bps, rtt_s)


@pytest.mark.parametrize(
    "values",
    [
        (-0.1, 1, 1, 0),
        (math.nan, 1, 1, 0),
        (math.inf, 1, 1, 0),
        (1, 0, 1, 1),
        (1, -1, 1, 1),
        (1, math.inf, 1, 1),
        (1, 1, 0, 1),
        (1, 1, -8, 1),
        (1, 1, math.inf, 1),
        (1, 1, math.nan, 1),
        (1, 1, 1, -0.1),
        (1, 1, 1, math.inf),
    ],
)
def test_slowdown_rejects_invalid_values(values):
    with pytest.raises(ValueError, match="must be"):
        slowdown(*values)


@pytest.mark.parametrize(
    ("arrivals_s", "sizes_bytes", "expected"),
    [
        ([], [], []),
        ([5], [3], [3]),
        ([0, 0, 0], [3, 1, 2], [6, 1, 3]),
        ([0, 1], [10, 2], [12, 2]),
        ([1, 0], [2, 10], [2, 12]),
        ([0, 2], [4, 3], [4, 5]),
        ([0, 2], [4, 1], [5, 1]),
        ([0, 10], [3, 4], [3, 4]),
        ([0, 1, 2, 3], [10, 5, 1, 1], [17, 7, 1, 1]),
        ([-2, 0], [3, 1], [3, 2]),
    ],
)
def test_completion_times_worked_by_hand(arrivals_s, sizes_bytes, expected):
    """At 8 bit/s a byte takes a second."""
    assert expected == srpt_completion_times(arrivals_s, sizes_bytes, 8)


@pytest.mark.parametrize(
    ("arrivals_s", "sizes_bytes", "expected"),
    [
        ([0, 0], [30, 30], [30, 60]),
        ([0, 2], [4, 2], [4, 4]),
        ([2, 0], [2, 4], [4, 4]),
        ([0, 1, 2], [3, 9, 9], [3, 11, 19]),
        ([0, 2, 1], [3, 9, 9], [3, 19, 11]),
        ([0, 3], [3, 1], [3, 1]),
    ],
)
def test_ties_are_won_by_the_first_arrival_then_by_the_first_listed(arrivals_s, sizes_bytes, expected):
    """An arrival waits if it has as much as the flow in service: Zapletal and Kuipers 2023, Fig. 3."""
    assert expected == srpt_completion_times(arrivals_s, sizes_bytes, 8)


def test_a_tie_in_decimal_numbers_is_a_tie():
    """After 0.2 s of 100 kB at 800 kbit/s, an arrival of 80 kB waits; in binary, 0.3 - 0.1 is below 0.2."""
    times = srpt_completion_times([0.1, 0.3], [100_000, 80_000], 800_000)
    assert pytest.approx([1.0, 1.6]) == times


def test_the_rate_and_the_size_set_the_time():
    assert pytest.approx([1.976]) == srpt_completion_times([7], [2_470_000], 10e6)


def test_short_flows_first_leave_the_long_flow_its_time():
    """Equal rates would give 4 s to both short flows and 12 s to f3: Zapletal and Kuipers 2023, Fig. 2."""
    assert srpt_completion_times([1, 6, 0], [2, 2, 8], 8) == [2, 2, 12]


def test_the_ideal_slowdown_is_that_of_srpt_with_a_round_trip():
    """A flow alone has 1; two of 1 s that start together have (1 + RTT) and (2 + RTT) over (1 + RTT)."""
    times = srpt_completion_times([0, 10, 10], [1_000_000] * 3, 8e6)
    ideal = [slowdown(time + 0.5, 1_000_000, 8e6, 0.5) for time in times]
    assert pytest.approx([1, 1, 2.5 / 1.5]) == ideal


@given(TICKS)
def test_completion_times_equal_a_simulation_byte_by_byte(flows):
    arrivals, sizes = [flow[0] for flow in flows], [flow[1] for flow in flows]
    assert _byte_by_byte(arrivals, sizes) == srpt_completion_times(arrivals, sizes, 8)


@given(TICKS)
def test_no_flow_is_faster_than_alone_and_the_link_never_idles_with_work_left(flows):
    arrivals, sizes = [flow[0] for flow in flows], [flow[1] for flow in flows]
    times = srpt_completion_times(arrivals, sizes, 8)
    assert all(time >= size for time, size in zip(times, sizes, strict=True))
    first_come = _first_come_first_served(arrivals, sizes)
    assert sum(times) <= sum(first_come)
    assert _last_end(arrivals, times) == _last_end(arrivals, first_come)


@pytest.mark.parametrize(
    ("arrivals_s", "sizes_bytes", "rate_bps", "reason"),
    [
        ([0], [1, 2], 8, "lengths differ"),
        ([math.nan], [1], 8, "arrival must be finite"),
        ([math.inf], [1], 8, "arrival must be finite"),
        ([0], [0], 8, "size must be"),
        ([0], [-1], 8, "size must be"),
        ([0], [math.inf], 8, "size must be"),
        ([0], [1], 0, "rate must be"),
        ([0], [1], -8, "rate must be"),
        ([0], [1], math.inf, "rate must be"),
        ([], [], math.nan, "rate must be"),
    ],
)
def test_completion_times_reject_invalid_values(arrivals_s, sizes_bytes, rate_bps, reason):
    with pytest.raises(ValueError, match=reason):
        srpt_completion_times(arrivals_s, sizes_bytes, rate_bps)


def _byte_by_byte(arrivals, sizes):
    """Serve one byte each second: to the flow with the fewest bytes left, the earliest, the first listed."""
    left, times, now = list(sizes), [0] * len(sizes), 0
    while any(left):
        present = [index for index, arrival in enumerate(arrivals) if arrival <= now and left[index]]
        now += 1
        if present:
            served = min(present, key=lambda index: (left[index], arrivals[index], index))
            left[served] -= 1
            times[served] = now - arrivals[served]
    return times


def _first_come_first_served(arrivals, sizes):
    times, now = [0] * len(sizes), 0
    for index in sorted(range(len(sizes)), key=arrivals.__getitem__):
        now = max(now, arrivals[index]) + sizes[index]
        times[index] = now - arrivals[index]
    return times


def _last_end(arrivals, times):
    return max(arrival + time for arrival, time in zip(arrivals, times, strict=True))
