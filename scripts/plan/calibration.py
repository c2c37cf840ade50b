"""A calibration trial: what is sent to measure the testbed by itself, for each link.

Every round of a cycle begins, in every setting, with one. scripts/tables/calibration_gate.py plans and judges
it. The driver `calibrate` sends it. scripts/tables/calibration.sql reads its figures from the queue log and
the capture, where each part is known by its frame size.
"""

import math
from collections.abc import Mapping
from typing import Any

from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES
from scripts.plan.specification_writer import specification

PAIR = "calibration"
PROBE_BYTES = 100
PROBES = 200
PROBE_GAP_US = 10_000

FLOOD_BYTES = (200, 600, FULL_FRAME_BYTES)
FLOOD_S = 2.0
FLOOD_PACKETS = 30
"""A flood lasts FLOOD_S, or as long as the link takes for this many packets."""
EXCESS = 1.1

LEAD_S = 0.3
DRAIN_S = 0.3
EDGE_S = 1


def schedule(link: Mapping[str, Any]) -> dict[str, Any]:
    """What the driver sends over a link: `probes` into the empty queue, then `floods` that keep it full.

    Args:
        link: a setting of the merged configuration: rate_mbps, queue_packets or queue_bytes, and random_loss,
            which what is sent makes up for.
    """
    probe_us = _link_us(link, PROBE_BYTES)
    return {
        "lead_s": LEAD_S,
        "probes": {
            "frame_bytes": PROBE_BYTES,
            "count": PROBES,
            "gap_us": max(PROBE_GAP_US, math.ceil(2 * probe_us)),
        },
        "floods": [_flood(link, frame_bytes) for frame_bytes in FLOOD_BYTES],
    }


def duration_s(link: Mapping[str, Any]) -> int:
    """How long a calibration trial of this link takes, without what every trial takes beside its duration."""
    sent = schedule(link)
    probes_s: float = sent["probes"]["count"] * sent["probes"]["gap_us"] / 1e6
    floods_s: float = sum(flood["seconds"] + flood["drain_s"] for flood in sent["floods"])
    return math.ceil(LEAD_S + probes_s + floods_s) + EDGE_S


def packets(link: Mapping[str, Any]) -> int:
    """How many packets a calibration trial sends at most."""
    sent = schedule(link)
    floods: float = sum(
        flood["burst_packets"] + flood["seconds"] * 1e6 / flood["gap_us"] for flood in sent["floods"]
    )
    return PROBES + round(floods)


def calibration_specification(
    config: Mapping[str, Any], cycle: str, setting: str, number: int, of_round: int
) -> dict[str, Any]:
    """The specification of a calibration trial (config/schemas/trial.yaml): one client alone."""
    link = {key: value for key, value in config["settings"][setting].items() if key != "clients"}
    service = config["calibration"]["service"] | {"schedule": schedule(link)}
    times = {
        "duration_s": duration_s(link),
        "ignore_first_s": 0,
        "ignore_last_s": EDGE_S,
        "start_jitter_s": 0,
    }
    alone = dict(config) | {"services": {PAIR: service}, "settings": {setting: link}, "trial": times}
    return specification(alone, cycle, setting, PAIR, number) | {"calibration": {"round": of_round}}


def _flood(link: Mapping[str, Any], frame_bytes: int) -> dict[str, Any]:
    link_us = _link_us(link, frame_bytes)
    in_bytes = link.get("queue_bytes")
    held = link["queue_packets"] if in_bytes is None else math.ceil(in_bytes / frame_bytes)
    arriving = 1 - (link.get("random_loss") or 0)
    return {
        "frame_bytes": frame_bytes,
        "burst_packets": math.ceil(1.1 * held / arriving) + 20,
        "gap_us": link_us / EXCESS * arriving,
        "seconds": max(FLOOD_S, FLOOD_PACKETS * link_us / 1e6),
        "drain_s": held * link_us / 1e6 + DRAIN_S,
    }


def _link_us(link: Mapping[str, Any], frame_bytes: int) -> float:
    """How long the link takes for a packet."""
    microseconds: float = (frame_bytes + OVERHEAD_BYTES) * 8 / link["rate_mbps"]
    return microseconds
