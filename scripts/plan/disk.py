"""How much disk trials with a full link take.

    packets    = rate * duration / (8 * 1538 bytes)        full frames on the link
    published  = packets * (1.6 * 17 + 11)                 captures without payload, and the queue log
    rest       = packets * (1.6 * (25 + 10.5) + 5)         raw captures, Parquet of captures and log

A cycle keeps both. With reduce=1 (Snakefile) it keeps what is published, and while it measures also the rest
of one trial. The queue log is on the disk once: trial, published form and snapshot share the file.

Measured on 17 trials of 12 s and one of 120 s, of downloads at 50 Mbps over the embedded switch: 1.5 to 1.6
captured packets a row of the log. In bytes, a captured packet has 22 to 25 raw, 16 to 17 published, 10 to
10.5 as Parquet; a row of the log has 10 to 11, as Parquet 4 to 5. In 24 trials of 12 to 45 s at 8 Mbps, some
with browsers, a captured packet has 40 raw and 19 published. What is built from a trial takes 0.1 MB in two
minutes, and is left out.
"""

from dataclasses import dataclass

from scripts.model.settings import Link
from scripts.plan.calibration import packets as calibration_packets

FRAME_ON_LINK_BYTES = 1538
CAPTURED_PER_PACKET = 1.6


@dataclass(frozen=True)
class Footprint:
    """Bytes on the disk: of what is published of trials, and of the rest, which reduction does not keep."""

    published: float = 0.0
    rest: float = 0.0

    def __add__(self, other: "Footprint") -> "Footprint":
        return Footprint(self.published + other.published, self.rest + other.rest)

    def __mul__(self, count: float) -> "Footprint":
        return Footprint(self.published * count, self.rest * count)


RAW_CAPTURED_BYTES = 25
CAPTURED_BYTES, LOGGED_BYTES = Footprint(17, RAW_CAPTURED_BYTES + 10.5), Footprint(11, 5)
"""Of a captured packet, and of a row of the queue log."""

CALIBRATION_BYTES = Footprint(13, 14)
"""Of a packet of a calibration, in its capture and in its log."""


def packets(rate_mbps: float, duration_s: float) -> float:
    """The packets that a full link sends."""
    return rate_mbps * 1e6 * duration_s / (8 * FRAME_ON_LINK_BYTES)


def trial_disk(rate_mbps: float, duration_s: float) -> Footprint:
    """The disk that a trial with a full link takes."""
    sent = packets(rate_mbps, duration_s)
    return CAPTURED_BYTES * (sent * CAPTURED_PER_PACKET) + LOGGED_BYTES * sent


def raw_bytes(rate_mbps: float, duration_s: float) -> float:
    """The bytes of the trial's directory as it was measured: raw captures and the queue log."""
    sent = packets(rate_mbps, duration_s)
    return RAW_CAPTURED_BYTES * sent * CAPTURED_PER_PACKET + LOGGED_BYTES.published * sent


def calibration_disk(link: Link) -> Footprint:
    """The disk that a calibration trial takes. Its packets are not acknowledged."""
    return CALIBRATION_BYTES * calibration_packets(link)
