"""The limit that a service sets its own throughput, by its catalogue file."""

from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES, PACKET_BYTES, PAYLOAD_BYTES
from scripts.model.services import Service


def cap_mbps(service: Service) -> float | None:
    """The limit that a service sets its own throughput; None without one."""
    if service.video:
        return service.video.ladder_kbps[-1] / 1e3
    if service.call:
        return service.call.cap_kbps / 1e3
    if service.bitrate_mbps:
        return service.bitrate_mbps * (service.flows or 1)
    caps = [side.cap_mbps for side in (service.origin, service.live) if side]
    return next((float(cap) for cap in caps if cap), None)


def wire_cap_mbps(service: Service) -> float | None:
    """A service's limit as wire rate if all its packets are full.

    The bitrates of a video and of iperf3 count payload; the other limits count IP packets, as throughput
    does. Smaller packets, such as those of QUIC, take a little more of the link than this.
    """
    cap = cap_mbps(service)
    if cap is None:
        return None
    counted = PAYLOAD_BYTES if service.video or service.bitrate_mbps else PACKET_BYTES
    return cap * (FULL_FRAME_BYTES + OVERHEAD_BYTES) / counted
