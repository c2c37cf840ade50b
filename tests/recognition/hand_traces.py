"""Queues made by hand, as equations of the controllers have them, in slots of trial_series."""

import numpy as np

from scripts.recognition.traces import SLOT_S, LinkKey, SoloSeries

LINK = LinkKey(8, 50, 128)
SLOTS = 700
STARTS = 3
"""The slot of the first packet."""


def series_of(in_flight, link=LINK, drops=()):
    """A service with these packets in flight, from slot STARTS on. What the path does not hold is queued."""
    in_flight = np.asarray(in_flight, dtype=float)
    queue = np.clip(in_flight - link.bdp_packets, 0, link.queue_packets)
    rate = np.minimum(1, in_flight / link.bdp_packets)
    full_bytes = 1500 * link.bdp_packets * SLOT_S * 1e3 / link.rtt_ms
    before = np.zeros(STARTS)
    dropped = np.zeros(STARTS + len(queue))
    dropped[[STARTS + at for at in drops]] = 1
    return SoloSeries(
        np.concatenate([before * np.nan, queue]), np.concatenate([before, rate * full_bytes]), dropped
    )


def reno(period_s, seed=0, link=LINK, slots=SLOTS):
    """A sawtooth between one half and the whole of the most that fits."""
    return _sawtooth(lambda at: 0.5 + 0.5 * at, period_s, seed, link, slots)


def cubic(period_s, seed=0, link=LINK, slots=SLOTS):
    """RFC 9438: the window falls to 0.7, is flat in the middle and reaches the former maximum at K."""
    return _sawtooth(lambda at: 1 - 0.3 * (1 - at) ** 3, period_s, seed, link, slots)


def bbr(seed=0, link=LINK, slots=SLOTS):
    """BBRv1: eight phases of an RTT with gains 5/4, 3/4 and six times 1; ProbeRTT of 200 ms each 10 s."""
    rng = np.random.default_rng(seed)
    gains = np.array([1.25, 0.75, 1, 1, 1, 1, 1, 1])
    at_s = np.arange(slots) * SLOT_S + rng.uniform(0, 1)
    level = 1.1 * gains[(at_s / (link.rtt_ms / 1e3)).astype(int) % 8]
    probes = at_s % 10 < 0.2
    level = np.where(probes, 4 / link.bdp_packets, level)
    level[:10] = 2.5
    return series_of(level * link.bdp_packets, link)


def _sawtooth(shape, period_s, seed, link, slots):
    """`shape` from one loss (0) to the next (1), after a slow start. Periods scatter by a twentieth."""
    rng, most = np.random.default_rng(seed), link.bdp_packets + link.queue_packets
    values, drops = [*np.geomspace(1, most, 20)], []
    while len(values) < slots:
        drops.append(len(values) - 1)
        period = max(2, round(period_s / SLOT_S * rng.uniform(0.95, 1.05)))
        values += [most * shape(at) for at in np.linspace(0, 1, period)]
    return series_of(values[:slots], link, [at for at in drops if at < slots])
