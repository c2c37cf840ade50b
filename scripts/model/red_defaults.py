"""RED's defaults in a link, as `tc red` has them (iproute2: tc/q_red.c, tc_red.c), and what RED refuses."""

from collections.abc import Mapping

from scripts.base.records import Scalar

AVERAGE_PACKET_BYTES = 1000
"""tc-red(8): "1000 is a good value"."""


def red_defaults(given: Mapping[str, Scalar], limit_bytes: int, rate_mbps: float) -> dict[str, Scalar]:
    """The options that depend on queue and link.

    Args:
        given: the options that the setting gives.
        limit_bytes: the queue's limit, bytes.
        rate_mbps: the link's rate, Mbit/s: tc's `bandwidth`.

    Returns:
        `max_bytes`, three times a given minimum, else a quarter of the limit; `min_bytes`, a third of the
        maximum; `weight`, from tc's default burst of (2 min + max) / 3; `packet_ms`, the link's time for an
        average packet.
    """
    usual = 3 * int(given["min_bytes"]) if "min_bytes" in given else limit_bytes // 4
    most = max(6, int(given.get("max_bytes", usual)))
    least = int(given.get("min_bytes", most // 3))
    return {
        "min_bytes": least,
        "max_bytes": most,
        "weight": _weight(least, most),
        "packet_ms": AVERAGE_PACKET_BYTES * 8 / (rate_mbps * 1e3),
    }


def _weight(min_bytes: int, max_bytes: int) -> float:
    """The largest power of 1/2 with which a burst of average packets stays below the minimum.

    Floyd and Jacobson 1993, 6.1: after L packets at an empty queue the average is
    L + 1 + ((1 - w)^(L + 1) - 1) / w packets; tc takes burst + 1 - min <= (1 - (1 - w)^burst) / w.
    Where tc refuses the thresholds, such as a minimum of less than an average packet, it is 1/2.
    """
    burst = (2 * min_bytes + max_bytes) // (3 * AVERAGE_PACKET_BYTES)
    room = burst + 1 - min_bytes / AVERAGE_PACKET_BYTES
    weights = (0.5**power for power in range(1, 32))
    return next((weight for weight in weights if room <= (1 - (1 - weight) ** burst) / weight), 0.5)


def red_fault(options: Mapping[str, Scalar]) -> str:
    """Why these options make no sense; empty if they do."""
    if float(options["min_bytes"]) >= float(options["max_bytes"]):
        return (
            f"min_bytes {options['min_bytes']} is not less than max_bytes {options['max_bytes']}; "
            "lower min_bytes or raise max_bytes"
        )
    return ""
