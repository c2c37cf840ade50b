"""A link's arithmetic: its queue in packets, and its parameters in the units of the switch."""

import math

from scripts.base.records import Json
from scripts.model.disciplines import switch_options
from scripts.model.settings import Access, Link

PACKET_BYTES = 1500
FULL_FRAME_BYTES = 1514
OVERHEAD_BYTES = 24
PAYLOAD_BYTES = 1448
"""The payload of a full TCP packet: without IP header, TCP header and the timestamp option."""


def queue_packets(rate_mbps: float, rtt_ms: float, queue_bdp: float, rounding: str) -> int:
    """Convert a queue length from bandwidth-delay products to packets of 1500 bytes.

    Args:
        rate_mbps: the link's rate, Mbit/s, > 0.
        rtt_ms: the normalised round-trip time, ms, >= 0.
        queue_bdp: the queue length in bandwidth-delay products, > 0.
        rounding: `power_of_two` for the nearest power of two (Prudentia 3.1, footnote 6: the paper's
            switch accepts no other length), `none` for the nearest whole packet.

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


def rate_bps(link: Link) -> int:
    """The link's rate in whole bit/s."""
    return round(link.rate_mbps * 1e6)


def switch_parameters(link: Link) -> dict[str, Json]:
    """The link of a trial in the keys and units of the switch's configuration (testbed/embedded/config.h)."""
    parameters: dict[str, Json] = {
        "rate_bps": rate_bps(link),
        "overhead_bytes": OVERHEAD_BYTES,
        "discipline": link.discipline,
    }
    if link.queue_bytes is not None:
        parameters["queue_bytes"] = link.queue_bytes
    else:
        parameters["queue_packets"] = link.queue_packets
    if link.discipline_options:
        parameters["discipline_options"] = switch_options(link.discipline_options)
    if link.random_loss:
        parameters["random_loss"] = link.random_loss
    return parameters


def access_parameters(access: Access) -> dict[str, Json]:
    """The path before the bottleneck, likewise."""
    parameters: dict[str, Json] = {"delay_ns": round(access.delay_ms * 1e6), "loss": access.loss}
    if access.rate_mbps is not None:
        parameters |= {"rate_bps": round(access.rate_mbps * 1e6), "queue_packets": access.queue_packets}
    return parameters
