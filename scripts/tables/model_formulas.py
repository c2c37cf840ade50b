"""The models of scripts/metrics/models.py with the testbed's constants, for the SQL of the table models."""

import math

import duckdb

from scripts.metrics.models import bbr_share, mathis, padhye
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES
from scripts.tables.parameters import PAYLOAD_BYTES

WINDOW_BYTES = 64 * 2**20
"""W_max: the socket buffers of every host of the testbed."""

DELAYED_ACKS = 2
"""b: the packets that one ACK acknowledges."""

SHORTEST_TIMEOUT_S = 0.2
"""Linux waits at least this much longer than the RTT before it retransmits (TCP_RTO_MIN)."""


def add_models(connection: duckdb.DuckDBPyConnection) -> None:
    """Define bbr_link_fraction, mathis_mbps and padhye_mbps."""
    connection.create_function("bbr_link_fraction", bbr_link_fraction, ["INTEGER", *["DOUBLE"] * 3], "DOUBLE")
    connection.create_function("mathis_mbps", mathis_mbps, ["DOUBLE"] * 2, "DOUBLE")
    connection.create_function("padhye_mbps", padhye_mbps, ["DOUBLE"] * 2, "DOUBLE")


def bbr_link_fraction(n_bbr: int, queue_packets: float, rate_mbps: float, rtt_s: float) -> float:
    """The fraction of the link that `n_bbr` BBR flows get beside loss-based ones, by the model of Ware et al.

    A packet is a full one with what the bottleneck charges for it. The queue in bandwidth-delay products is
    that of the true queue. NaN where the model gives no value.
    """
    capacity_pps = rate_mbps * 1e6 / (8 * (FULL_FRAME_BYTES + OVERHEAD_BYTES))
    try:
        return bbr_share(n_bbr, queue_packets, queue_packets / (capacity_pps * rtt_s), capacity_pps, rtt_s)
    except ValueError:  # ProbeRTT would not fit its interval.
        return math.nan


def mathis_mbps(rtt_s: float, p: float) -> float:
    """The bound of Mathis for segments of full size, in Mbps of payload.

    Args:
        rtt_s: the RTT with queueing in seconds.
        p: the loss rate, in (0, 1].
    """
    return mathis(PAYLOAD_BYTES, rtt_s, p) / 1e6


def padhye_mbps(rtt_s: float, p: float) -> float:
    """The throughput by Padhye et al. for segments of full size, in Mbps of payload; arguments likewise."""
    packets_per_s = padhye(WINDOW_BYTES / PAYLOAD_BYTES, rtt_s, DELAYED_ACKS, rtt_s + SHORTEST_TIMEOUT_S, p)
    return packets_per_s * PAYLOAD_BYTES * 8 / 1e6
