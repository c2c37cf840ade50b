"""Calibration trials: what is sent over each link to measure the testbed itself.

Every round of a cycle begins with one in every setting. scripts/tables/calibration_gate.py plans and judges
it. The driver `calibrate` sends its packets. scripts/tables/calibration.sql computes its figures from the
queue log and the capture, where the frame size identifies the part that a packet belongs to.
"""

import math
from dataclasses import replace

from scripts.model.campaign import Campaign, TrialTimes
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES
from scripts.model.services import Flood, Probes, Schedule
from scripts.model.settings import Link
from scripts.model.specification import CalibrationRound, Specification
from scripts.model.trials import TrialKey
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
"""The burst of a flood exceeds the queue by this factor, and its rate the link's."""
BURST_SPARE_PACKETS = 20

LEAD_S = 0.3
DRAIN_S = 0.3
EDGE_S = 1


def probes(link: Link) -> Probes:
    """Packets so far apart that each finds an empty queue."""
    gap_us = max(PROBE_GAP_US, math.ceil(2 * _link_us(link, PROBE_BYTES)))
    return Probes(frame_bytes=PROBE_BYTES, count=PROBES, gap_us=gap_us)


def floods(link: Link) -> tuple[Flood, ...]:
    """Packets that keep the queue full, one flood for each frame size.

    They compensate for the link's random loss.
    """
    return tuple(_flood(link, frame_bytes) for frame_bytes in FLOOD_BYTES)


def schedule(link: Link) -> Schedule:
    """What the driver sends over a link: first the probes, then the floods."""
    return Schedule(lead_s=LEAD_S, probes=probes(link), floods=floods(link))


def duration_s(link: Link) -> int:
    """The duration of a calibration trial over this link, without the overhead that every trial has."""
    probes_s = probes(link).count * probes(link).gap_us / 1e6
    floods_s = sum(flood.seconds + flood.drain_s for flood in floods(link))
    return math.ceil(LEAD_S + probes_s + floods_s) + EDGE_S


def packets(link: Link) -> int:
    """The largest number of packets that a calibration trial sends."""
    flooded = sum(flood.burst_packets + flood.seconds * 1e6 / flood.gap_us for flood in floods(link))
    return PROBES + round(flooded)


def calibration_specification(
    campaign: Campaign, cycle: str, key: TrialKey, before: CalibrationRound
) -> Specification:
    """The specification of a host's calibration trial before a round: one client alone."""
    setting = replace(campaign.settings[key.setting], clients=(), trial=None)
    service = replace(campaign.calibration.service, schedule=schedule(setting))
    calibrating = replace(
        campaign,
        services={PAIR: service},
        settings={key.setting: setting},
        trial=TrialTimes(
            duration_s=duration_s(setting),
            ignore_first_s=0,
            ignore_last_s=EDGE_S,
            start_jitter_s=0,
            web=campaign.trial.web,
        ),
    )
    return replace(specification(calibrating, cycle, key), calibration=before)


def _flood(link: Link, frame_bytes: int) -> Flood:
    link_us = _link_us(link, frame_bytes)
    capacity = _capacity_packets(link, frame_bytes)
    arriving = 1 - link.random_loss
    return Flood(
        frame_bytes=frame_bytes,
        burst_packets=math.ceil(EXCESS * capacity / arriving) + BURST_SPARE_PACKETS,
        gap_us=link_us / EXCESS * arriving,
        seconds=max(FLOOD_S, FLOOD_PACKETS * link_us / 1e6),
        drain_s=capacity * link_us / 1e6 + DRAIN_S,
    )


def _capacity_packets(link: Link, frame_bytes: int) -> int:
    """How many frames of this size the queue holds."""
    if link.queue_packets is not None:
        return link.queue_packets
    if link.queue_bytes is None:
        raise ValueError(f"{link.title} has no queue")
    return math.ceil(link.queue_bytes / frame_bytes)


def _link_us(link: Link, frame_bytes: int) -> float:
    """How long the link takes to send a frame, microseconds."""
    return (frame_bytes + OVERHEAD_BYTES) * 8 / link.rate_mbps
