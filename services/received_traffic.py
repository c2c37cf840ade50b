"""The bytes that arrive at this host, for pages that do not count what they receive."""

import time

import psutil

from scripts.base.records import Json

NOISE_BYTES = 10_000
"""Fewer bytes than this come from DNS and idle connections, not from the workload."""


class ReceivedTraffic:
    """Bytes that the network interfaces of this host receive from now on, in whole frames."""

    def __init__(self) -> None:
        self._counter_before = _counter()
        self._samples = [(time.time(), 0)]
        self._last_workload = self._samples[0]

    def sample(self) -> None:
        """Read the counters of the interfaces."""
        sample = (time.time(), _counter() - self._counter_before)
        self._samples.append(sample)
        if sample[1] - self._last_workload[1] > NOISE_BYTES:
            self._last_workload = sample

    @property
    def received_bytes(self) -> int:
        """All bytes up to the last sample."""
        return self._samples[-1][1]

    @property
    def idle_s(self) -> float:
        """The time up to the last sample in which no more than NOISE_BYTES arrived, s."""
        return self._samples[-1][0] - self._last_workload[0]

    def intervals(self, since_s: float) -> list[Json]:
        """[start, end, bytes] of intervals of about a second, in seconds since `since_s` (Unix time)."""
        found: list[Json] = []
        start, before = self._samples[0]
        for end, total in self._samples[1:]:
            if end - start >= 1:
                if start >= since_s:
                    found.append([start - since_s, end - since_s, total - before])
                start, before = end, total
        return found


def _counter() -> int:
    counters = psutil.net_io_counters(pernic=True, nowrap=False)
    return sum(interface.bytes_recv for name, interface in counters.items() if name != "lo")
