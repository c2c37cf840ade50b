"""What a driver itself sees of an endpoint: bytes on its interfaces, ports, and files."""

import os
import time
from collections.abc import Collection
from pathlib import Path

from scripts.base.records import Json

_LISTENS = "0A"
_TABLES = ("udp", "udp6", "tcp", "tcp6")
_BLOCK_BYTES = 512
PERIOD_S = 1


class ReceivedBytes:
    """The bytes that the interfaces of this network namespace received since this was made.

    Attributes:
        intervals: [start_s, end_s, bytes] of about every second.
    """

    def __init__(self) -> None:
        self.intervals: list[Json] = []
        self._began_s = time.monotonic()
        self._first = self._last = received_bytes()
        self._last_s = 0.0

    @property
    def total(self) -> int:
        """All bytes up to the last sample."""
        return self._last - self._first

    def sample(self, at_end: bool = False) -> None:
        """Add an interval if the last one is a second ago, or `at_end`."""
        now_s = time.monotonic() - self._began_s
        if now_s - self._last_s < PERIOD_S and not at_end:
            return
        now = received_bytes()
        self.intervals.append([self._last_s, now_s, now - self._last])
        self._last, self._last_s = now, now_s


def received_bytes() -> int:
    """The bytes that all interfaces but loopback have received, or loopback where there is no other."""
    lines = Path("/proc/self/net/dev").read_text(encoding="ascii").splitlines()[2:]
    received = {
        name.strip(): int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)
    }
    loopback = received.pop("lo", 0)
    return sum(received.values()) if received else loopback


def has_listener(port: int) -> bool:
    """Whether a program of this namespace has bound the UDP port, or listens at the TCP port."""
    for table in _TABLES:
        path = Path("/proc/self/net") / table
        lines = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else []
        for _, local, _, state, *_ in map(str.split, lines):
            if local.endswith(f":{port:04X}") and (table.startswith("udp") or state == _LISTENS):
                return True
    return False


def written_bytes(folder: Path, without: Collection[Path]) -> int:
    """The bytes on disk of all files in a folder, except these files and folders."""
    total = 0
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(path, name) not in without]
        for file in (Path(path, name) for name in files):
            try:
                total += 0 if file in without else file.lstat().st_blocks * _BLOCK_BYTES
            except OSError:  # It was removed meanwhile.
                continue
    return total
