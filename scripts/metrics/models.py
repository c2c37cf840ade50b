"""Throughput models, for comparison with measured values."""

import math


def mathis(mss_bytes: float, rtt_s: float, p: float) -> float:
    """Upper bound of TCP Reno's throughput under light loss: (MSS / RTT) / sqrt(p).

    Args:
        mss_bytes: MSS, the payload of a segment in bytes, > 0.
        rtt_s: RTT, the round-trip time in seconds, > 0.
        p: the loss events per packet, in (0, 1]: packets of one window that are lost together count once.

    Returns:
        The bound in bit/s.

    Raises:
        ValueError: a value is out of its range or not finite. The model gives no bound without loss.

    Source: Sherry, Prudentia (slides), "Mathis equation for TCP Reno's throughput"; Mathis et al. 1997.
    """
    _check_positive(mss_bytes=mss_bytes, rtt_s=rtt_s)
    if not 0 < p <= 1:
        raise ValueError(f"p must be in (0, 1], not {p}")
    return mss_bytes * 8 / rtt_s / math.sqrt(p)  # BW < (MSS / RTT) / sqrt(p), in bits


def padhye(wmax_packets: float, rtt_s: float, b: float, t0_s: float, p: float) -> float:
    """TCP Reno's throughput with timeouts and a limited window.

    Args:
        wmax_packets: W_max, the receiver's window in packets, > 0.
        rtt_s: RTT, the round-trip time in seconds, > 0.
        b: packets acknowledged by one ACK, > 0: 2 with delayed ACKs, 1 if the window grows by packets.
        t0_s: T_0, the first retransmission timeout in seconds, > 0.
        p: the loss events per packet, in [0, 1]; with 0 only the window limits the rate.

    Returns:
        B(p) in packets per second.

    Raises:
        ValueError: a value is out of its range or not finite.

    Source: Sherry, Prudentia (slides), "Padhye equation for TCP Reno's throughput"; Padhye et al. 1998.
    """
    _check_positive(wmax_packets=wmax_packets, rtt_s=rtt_s, b=b, t0_s=t0_s)
    if not 0 <= p <= 1:
        raise ValueError(f"p must be in [0, 1], not {p}")
    window_limit = wmax_packets / rtt_s  # W_max / RTT
    if p == 0:
        return window_limit
    fast_retransmits = rtt_s * math.sqrt(2 * b * p / 3)  # RTT sqrt(2bp / 3)
    timeouts = t0_s * min(1, 3 * math.sqrt(3 * b * p / 8)) * p * (1 + 32 * p**2)  # T_0 min(…) p (1 + 32p^2)
    return min(window_limit, 1 / (fast_retransmits + timeouts))


def bbr_share(n_bbr: int, queue_packets: float, queue_bdp: float, capacity_pps: float, rtt_s: float) -> float:
    """The fraction of the link that BBR (version 1) flows get together beside any number of loss-based flows.

    Outside ProbeRTT the loss-based flows keep the fraction p = 1/2 - 1/(2X) - 4N/q of the link. In (q/c + 0.2
    + l) of every 10 seconds the BBR flows are in ProbeRTT and send almost nothing. The formula has no value
    where p is negative, in short queues or with many BBR flows, or where ProbeRTT would last more than 10 s
    because the full queue drains so slowly.

    Args:
        n_bbr: N, the number of BBR flows, >= 1.
        queue_packets: q, the bottleneck queue's limit in packets, > 0.
        queue_bdp: X, the same limit in bandwidth-delay products, > 0: q / (c l), apart from rounding.
        capacity_pps: c, the link's rate in packets per second, > 0.
        rtt_s: l, the round-trip time without queueing in seconds, > 0.

    Returns:
        The fraction of the link, in [0, 1].

    Raises:
        ValueError: a value is out of its range or not finite, or the formula has no value.

    Source: Sherry, Prudentia (slides), "Our equation for BBR's throughput"; Ware et al. 2019 (IMC), Modeling
    BBR's Interactions with Loss-Based Congestion Control.
    """
    _check_positive(queue_packets=queue_packets, queue_bdp=queue_bdp, capacity_pps=capacity_pps, rtt_s=rtt_s)
    if not 1 <= n_bbr < math.inf:
        raise ValueError(f"n_bbr must be at least 1, not {n_bbr}")
    probe_rtt = (queue_packets / capacity_pps + 0.2 + rtt_s) / 10  # (q/c + .2 + l) x 1/10
    if probe_rtt > 1:
        raise ValueError(f"ProbeRTT of {probe_rtt * 10} s does not fit its interval of 10 s")
    between = 1 - 1 / 2 + 1 / (2 * queue_bdp) + 4 * n_bbr / queue_packets  # 1 - 1/2 + 1/(2X) + 4N/q
    if between > 1:
        raise ValueError(
            f"the loss-based flows would keep {1 - between:.3f} of the link; p must be at least 0"
        )
    return between * (1 - probe_rtt)


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name} must be a positive number, not {value}")
