"""How long flows take until their shares of a bottleneck are steady.

Each flow is taken to hold an equal part of the window that the link and its full queue hold together. A cell
that is not fair may take longer: these are times that a trial needs at least.
"""

import math

BBR_WARM_UP_S = 120
"""BBR's warm-up in queues of up to 8 BDP: the two minutes that Prudentia ignores (SIGCOMM 2024, 3.4). They
hold twelve measurements of the RTT, one every 10 s (ProbeRTT)."""
DEEP_BDP = 8
"""From this queue on, BBR's warm-up grows with the queue."""
GAIN_CYCLES = 8
CYCLE_RTTS = 8
"""BBR probes for bandwidth in cycles of eight RTTs, and in one of the eight sends a quarter more."""
MEASURED_RTT_S = 0.04
"""The RTT of the trials behind `bbr_warm_up_s`."""

RENO_KEEPS = 1 / 2
"""Reno's window after a loss, as a fraction of that before (RFC 5681, 3.1)."""
CUBIC_KEEPS = 0.7
"""beta_cubic (RFC 9438, 4.6)."""
CUBIC_C = 0.4
"""C, in packets per cubic second (RFC 9438, 5)."""


def full_window_packets(rate_pps: float, rtt_s: float, queue_packets: float) -> float:
    """The packets that a link and its full queue hold: one bandwidth-delay product and the queue.

    Args:
        rate_pps: the link's rate in packets per second, > 0.
        rtt_s: the round-trip time without queueing in seconds, >= 0.
        queue_packets: the queue's limit in packets, >= 0.
    """
    return rate_pps * rtt_s + queue_packets


def loaded_rtt_s(rate_pps: float, rtt_s: float, queue_packets: float) -> float:
    """The round-trip time through a full queue, seconds; arguments as for `full_window_packets`."""
    return rtt_s + queue_packets / rate_pps


def bbr_warm_up_s(rate_pps: float, rtt_s: float, queue_packets: float) -> float:
    """How long BBR (version 1) needs beside loss-based flows, which keep the queue full.

    BBR begins with 2 of the X + 1 BDP that the link and a queue of X BDP hold, and one gain cycle adds at
    most a quarter to what it has. At 32 BDP, from 6 % to 40 % of the link, that takes 8.5 cycles, 90 s at
    10 Mbps and 40 ms. It is a lower bound. Measured there, one trial each, one flow of BBR was at its plateau
    after 160 to 200 s beside one of Cubic, and rose until 360 s and longer beside sixteen. So the time
    follows from what was measured: 120 s up to 8 BDP, and 120 s more for each doubling of a deeper queue (240
    s at 16 BDP, 360 s at 32). At another RTT the additional time is in proportion to it, because a cycle
    lasts a number of RTTs. Eight gain cycles of loaded RTTs are the least in any case.

    Args:
        rate_pps: the link's rate in packets per second, > 0.
        rtt_s: the round-trip time without queueing in seconds, >= 0.
        queue_packets: the queue's limit in packets, >= 0.

    Returns:
        Seconds, at least BBR_WARM_UP_S.

    Source: Cardwell et al. 2016 (BBR: cycles, gains, ProbeRTT); the measurements are the project's own.
    """
    cycles_s = GAIN_CYCLES * CYCLE_RTTS * loaded_rtt_s(rate_pps, rtt_s, queue_packets)
    bdp_packets = rate_pps * rtt_s
    if queue_packets <= DEEP_BDP * bdp_packets or bdp_packets == 0:
        return max(BBR_WARM_UP_S, cycles_s)
    doublings = math.log2(queue_packets / bdp_packets / DEEP_BDP)
    return max(BBR_WARM_UP_S * (1 + doublings * rtt_s / MEASURED_RTT_S), cycles_s)


def reno_recovery_s(rate_pps: float, rtt_s: float, queue_packets: float, flows: int = 1) -> float:
    """How long Reno takes from half of its window to the whole of it, one packet more each RTT.

    The RTT is the time that the link needs for the window, and not below rtt_s. Equal flows that lose
    together need an equal part of the time each.

    Args:
        rate_pps: the link's rate in packets per second, > 0.
        rtt_s: the round-trip time without queueing in seconds, >= 0.
        queue_packets: the queue's limit in packets, >= 0.
        flows: the equal flows that share the window, >= 1.

    Returns:
        Seconds. While the queue never empties this is 3/8 W^2 / (rate flows), with the whole window W.

    Source: RFC 5681, 3.1 (congestion avoidance).
    """
    whole = full_window_packets(rate_pps, rtt_s, queue_packets)
    half = RENO_KEEPS * whole
    filling = max(half, rate_pps * rtt_s)
    one_s = (filling - half) * rtt_s + (whole**2 - filling**2) / (2 * rate_pps)
    return one_s / flows


def cubic_recovery_s(rate_pps: float, rtt_s: float, queue_packets: float, flows: int = 1) -> float:
    """How long Cubic takes back to the window that it had before a loss.

    It is K, or Reno's time where that is shorter: Cubic grows about as fast as Reno at least.

    Args:
        rate_pps: the link's rate in packets per second, > 0.
        rtt_s: the round-trip time without queueing in seconds, >= 0.
        queue_packets: the queue's limit in packets, >= 0.
        flows: the equal flows that share the window, >= 1.

    Returns:
        Seconds.

    Source: RFC 9438, 4.2: K = cbrt((W_max - cwnd_epoch) / C), here from beta W_max; 4.3 (the Reno-friendly
    region).
    """
    window = full_window_packets(rate_pps, rtt_s, queue_packets) / flows
    cubic_s = math.cbrt(window * (1 - CUBIC_KEEPS) / CUBIC_C)
    return min(cubic_s, reno_recovery_s(rate_pps, rtt_s, queue_packets, flows))
