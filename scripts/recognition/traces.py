"""A trace: how full the queue is, and how much is in flight, in the minute after slow start.

The input is what the table trial_series has of a service alone, so all packets in the queue are its own:

- occupancy: packets in the queue, divided by the queue's limit.
- in flight: packets that were sent and whose acknowledgement cannot have returned yet. These are the packets
  in the queue and those that left it within the last base RTT. They are divided by the most that fits: the
  queue's limit and one bandwidth-delay product. The acknowledgements of QUIC are encrypted; the log of the
  queue and the base RTT give the same number for TCP and QUIC.

Slow start ends with the first dropped packet; if none is dropped within SLOW_START_S, when the queue was
longest within that time.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES, PACKET_BYTES
from scripts.model.settings import Setting

SLOT_S = 0.1
"""The length of a slot of trial_series."""
SLOW_START_S, TRACE_S = 8, 60
SAMPLES = round(TRACE_S / SLOT_S)
CHANNELS = ("occupancy", "in_flight")

Numbers = NDArray[np.float64]
Trace = NDArray[np.float64]
"""SAMPLES rows, a column for each of CHANNELS; fractions, 0 to about 1."""


@dataclass(frozen=True, order=True)
class LinkKey:
    """The link of a trace. Traces are compared on equal links only."""

    rate_mbps: float
    rtt_ms: float
    queue_packets: int

    @property
    def bdp_packets(self) -> float:
        """Full packets that the link carries in one base RTT."""
        return self.packets_per_s * self.rtt_ms / 1e3

    @property
    def packets_per_s(self) -> float:
        """Full packets that the link carries in a second."""
        return self.rate_mbps * 1e6 / 8 / (FULL_FRAME_BYTES + OVERHEAD_BYTES)

    @classmethod
    def of(cls, setting: Setting) -> "LinkKey | None":
        """The link of a setting; None if traces of it are not comparable.

        They are comparable with a drop-tail queue in packets, without random loss, if the RTT is the same for
        every service.
        """
        told = setting.discipline == "droptail" and not setting.random_loss and not setting.binds_clients
        if not told or setting.rtt != "normalised" or not setting.queue_packets:
            return None
        return cls(setting.rate_mbps, setting.rtt_ms, setting.queue_packets)


@dataclass(frozen=True)
class SoloSeries:
    """A service alone, in slots of SLOT_S from the start of the trial; all arrays are equally long.

    Attributes:
        backlog_packets: the mean queue that its packets found; NaN in slots without a packet.
        ip_bytes: what left the queue in the slot.
        dropped_packets: packets that arrived in the slot and were dropped.
    """

    backlog_packets: Numbers
    ip_bytes: Numbers
    dropped_packets: Numbers


def trace_of(series: SoloSeries, link: LinkKey) -> Trace | None:
    """The trace of a trial; None if the trial ends before the trace does, or nothing was sent."""
    window = _window(series)
    if window is None:
        return None
    queued = np.nan_to_num(series.backlog_packets)
    fits = link.queue_packets + link.bdp_packets
    in_flight = queued + _left_within(series.ip_bytes / PACKET_BYTES, link.rtt_ms / 1e3 / SLOT_S)
    both = np.stack([queued / link.queue_packets, in_flight / fits], axis=1)
    return both[window]


def idle_fraction(series: SoloSeries, link: LinkKey) -> float:
    """The fraction of the trace's slots in which less than half of what the link can carry left the queue.

    A trial without a trace has 0.
    """
    window = _window(series)
    if window is None:
        return 0.0
    carried = link.packets_per_s * SLOT_S * PACKET_BYTES
    return float(np.mean(series.ip_bytes[window] < carried / 2))


def _window(series: SoloSeries) -> slice | None:
    """The slots of the trace."""
    begin = _slow_start_end(series)
    if begin is None or begin + SAMPLES > len(series.ip_bytes):
        return None
    return slice(begin, begin + SAMPLES)


def _slow_start_end(series: SoloSeries) -> int | None:
    """The slot in which slow start ends; None if nothing was sent."""
    sent = np.flatnonzero(series.ip_bytes)
    if not len(sent):
        return None
    first = sent[0]
    start = slice(first, first + round(SLOW_START_S / SLOT_S))
    dropped = np.flatnonzero(series.dropped_packets[start])
    longest = np.argmax(np.nan_to_num(series.backlog_packets[start]))
    return int(first + (dropped[0] if len(dropped) else longest))


def _left_within(packets: Numbers, slots: float) -> Numbers:
    """Packets that left the queue within the last `slots` slots, at the end of each slot.

    A part of a slot counts by its fraction.
    """
    total = np.concatenate([np.zeros(ceil(slots) + 1), np.cumsum(packets)])
    at = np.arange(len(packets)) + ceil(slots) + 1
    before: Numbers = np.interp(at - slots, np.arange(len(total)), total)
    return total[at] - before
