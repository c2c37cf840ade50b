"""Flow completion times: measured against the shortest possible."""

import math
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush


def optimal_fct(size_bytes: float, rate_bps: float, rtt_s: float) -> float:
    """The shortest possible completion time of a flow: size / rate + RTT.

    Args:
        size_bytes: the bytes of the flow, > 0.
        rate_bps: the bottleneck's rate in bit/s, or the flow's own limit if it is lower, > 0.
        rtt_s: the round-trip time without queueing in seconds, >= 0.

    Returns:
        Seconds.

    Raises:
        ValueError: a value is out of its range or not finite.

    Source: Zapletal and Kuipers 2023, 3.2. Some copies of its text print the optimum as size / (rate + RTT).
    The fraction bar ends before the RTT: the units show it, and so does the slowdown of 2 of the shortest
    flows (4).
    """
    if not 0 <= rtt_s < math.inf:
        raise ValueError(f"the round-trip time must be at least 0 and finite, not {rtt_s}")
    if not 0 < size_bytes < math.inf:
        raise ValueError(f"the size must be a positive number, not {size_bytes}")
    if not 0 < rate_bps < math.inf:
        raise ValueError(f"the rate must be a positive number, not {rate_bps}")
    return size_bytes * 8 / rate_bps + rtt_s  # 3.2: flow_size / min{bandwidth, rate_limit} + rtt


def slowdown(fct_s: float, size_bytes: float, rate_bps: float, rtt_s: float) -> float:
    """A flow's completion time divided by the shortest possible one.

    Args:
        fct_s: the measured completion time in seconds, >= 0.
        size_bytes: as for `optimal_fct`.
        rate_bps: as for `optimal_fct`.
        rtt_s: as for `optimal_fct`.

    Returns:
        1 at the optimum, 2 for twice that time. A value below 1 is possible only if the completion time
        excludes a part of the optimum, such as the first round trip.

    Raises:
        ValueError: a value is out of its range or not finite.

    Source: Zapletal and Kuipers 2023, 3.2.
    """
    if not 0 <= fct_s < math.inf:
        raise ValueError(f"the completion time must be at least 0 and finite, not {fct_s}")
    return fct_s / optimal_fct(size_bytes, rate_bps, rtt_s)  # 3.2: measured_fct / optimal_fct


def srpt_completion_times(
    arrivals_s: Sequence[float], sizes_bytes: Sequence[float], rate_bps: float
) -> list[float]:
    """Completion times on a link that always serves the flow with the fewest remaining bytes (SRPT).

    A new flow interrupts the flow in service if it has fewer bytes. Of flows with equally many remaining
    bytes the one that arrived first is served first, then the one listed first. The computation uses exact
    fractions of the given decimal numbers, so that rounding breaks no tie.

    Args:
        arrivals_s: when each flow starts in seconds, in any order.
        sizes_bytes: the bytes of each flow, > 0, in the order of `arrivals_s`.
        rate_bps: the link's rate in bit/s, > 0.

    Returns:
        The seconds from each flow's arrival until its last byte is served, in the same order. They contain no
        round trip. The list is empty without flows.

    Raises:
        ValueError: the lengths differ, or a value is out of its range or not finite.

    Source: Zapletal and Kuipers 2023, 3.2; Schrage and Miller 1966.
    """
    _check_flows(arrivals_s, sizes_bytes, rate_bps)
    arrivals = [_exactly(arrival) for arrival in arrivals_s]
    bits = [8 * _exactly(size) for size in sizes_bytes]
    rate = _exactly(rate_bps)
    times = [0.0] * len(arrivals)
    to_come = deque(sorted(range(len(arrivals)), key=arrivals.__getitem__))
    waiting: list[tuple[Fraction, Fraction, int]] = []
    now = Fraction(0)
    while waiting or to_come:
        if not waiting:
            now = arrivals[to_come[0]]
        while to_come and arrivals[to_come[0]] <= now:
            index = to_come.popleft()
            heappush(waiting, (bits[index], arrivals[index], index))
        left, arrival, index = heappop(waiting)
        end = now + left / rate
        if to_come and arrivals[to_come[0]] < end:
            interrupted = arrivals[to_come[0]]
            heappush(waiting, (left - (interrupted - now) * rate, arrival, index))
            now = interrupted
        else:
            times[index] = float(end - arrival)
            now = end
    return times


def _check_flows(arrivals_s: Sequence[float], sizes_bytes: Sequence[float], rate_bps: float) -> None:
    if len(arrivals_s) != len(sizes_bytes):
        raise ValueError(f"the lengths differ: {len(arrivals_s)} arrivals and {len(sizes_bytes)} sizes")
    if not all(math.isfinite(arrival) for arrival in arrivals_s):
        raise ValueError("an arrival must be finite")
    if not all(0 < size < math.inf for size in sizes_bytes):
        raise ValueError("a size must be a positive number")
    if not 0 < rate_bps < math.inf:
        raise ValueError(f"the rate must be a positive number, not {rate_bps}")


def _exactly(value: float) -> Fraction:
    """The decimal number that a float is printed as: 1/10 for 0.1, not the nearest binary fraction."""
    return Fraction(repr(float(value)))
