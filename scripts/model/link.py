"""A link's arithmetic: how long a queue is that is given in time, and the link as a switch is told of it."""

import math
from collections.abc import Mapping
from typing import Any

from scripts.model.disciplines import switch_options

PACKET_BYTES = 1500
FULL_FRAME_BYTES = 1514
OVERHEAD_BYTES = 24


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


def switch_parameters(link: dict[str, Any]) -> dict[str, Any]:
    """The link of a trial (config/schemas/trial.yaml) in the words of the switch's configuration."""
    unit = "queue_bytes" if "queue_bytes" in link else "queue_packets"
    parameters = {
        "rate_bps": round(link["rate_mbps"] * 1e6),
        "overhead_bytes": OVERHEAD_BYTES,
        "discipline": link["discipline"],
        unit: link[unit],
    }
    if link.get("discipline_options"):
        parameters["discipline_options"] = switch_options(link["discipline_options"])
    if link.get("random_loss"):
        parameters["random_loss"] = link["random_loss"]
    return parameters


def access_parameters(access: Mapping[str, Any]) -> dict[str, Any]:
    """What a service's packets pass before the bottleneck, in the words of the switch's configuration."""
    parameters = {
        "delay_ns": round(access.get("delay_ms", 0) * 1e6),
        "loss": access.get("loss", 0),
    }
    if "rate_mbps" in access:
        parameters |= {
            "rate_bps": round(access["rate_mbps"] * 1e6),
            "queue_packets": access["queue_packets"],
        }
    return parameters
