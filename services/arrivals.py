"""What arrives at this host, whatever program it is for: the account of a page that keeps none of its own."""

import time

import psutil

NOISE_BYTES = 10_000
"""So little is no workload: names asked for, connections kept alive."""


class Arrivals:
    """Bytes that the network interfaces of this host receive from now on, frames whole."""

    def __init__(self) -> None:
        self._before = _counted()
        self._samples = [(time.time(), 0)]
        self._last_more = self._samples[0]

    def note(self) -> None:
        """Look at the interfaces."""
        now = (time.time(), _counted() - self._before)
        self._samples.append(now)
        if now[1] - self._last_more[1] > NOISE_BYTES:
            self._last_more = now

    @property
    def received_bytes(self) -> int:
        """In all, as last noted."""
        return self._samples[-1][1]

    @property
    def idle_s(self) -> float:
        """For how long no more than NOISE_BYTES have come."""
        return self._samples[-1][0] - self._last_more[0]

    def intervals(self, since_s: float) -> list[list[float]]:
        """Start, end and bytes of about every second from `since_s` (Unix time) on, counted from there."""
        found: list[list[float]] = []
        start, before = self._samples[0]
        for at, total in self._samples[1:]:
            if at - start >= 1:
                if start >= since_s:
                    found.append([start - since_s, at - since_s, total - before])
                start, before = at, total
        return found


def _counted() -> int:
    counters = psutil.net_io_counters(pernic=True, nowrap=False)
    return sum(of.bytes_recv for name, of in counters.items() if name != "lo")
