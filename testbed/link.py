"""Link arithmetic: how long a queue is that is given in bandwidth-delay products."""

import math

PACKET_BYTES = 1500


def queue_packets(rate_mbps: float, rtt_ms: float, queue_bdp: float, rounding: str) -> int:
    """Turn a queue of some bandwidth-delay products into packets of 1500 bytes.

    Args:
        rate_mbps: the link's rate, Mbit/s, > 0.
        rtt_ms: the normalised round-trip time, ms, >= 0.
        queue_bdp: the queue's length in bandwidth-delay products, > 0.
        rounding: `power_of_two` for the nearest power of two (Prudentia 3.1, footnote 6: the paper's
            switch allows no other length), `none` for the nearest whole packet.

    Returns:
        Packets, >= 0.

    Raises:
        ValueError: an unknown rounding.
    """
    packets = queue_bdp * rate_mbps * 1e6 * rtt_ms / 1e3 / 8 / PACKET_BYTES
    if rounding == "none":
        return round(packets)
    if rounding != "power_of_two":
        raise ValueError(f"rounding must be power_of_two or none, not {rounding}")
    if packets < 0.75:
        return 0
    lower = 1 << max(0, math.floor(math.log2(packets)))
    return lower if packets - lower <= 2 * lower - packets else 2 * lower
