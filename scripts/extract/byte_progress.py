"""A progress line on a terminal: the fraction of the bytes that were read, and the time left."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

INTERVAL_S = 0.5
WIPE = "\r\x1b[K"


class ByteProgress:
    """Shows percent read and time left on one line of a terminal. To another stream it writes nothing."""

    def __init__(
        self, files: Sequence[Path], stream: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._total_bytes = sum(file.stat().st_size for file in files)
        self._finished_bytes = 0
        self._start_s = self._shown_s = clock()

    def show(self, read_bytes: int) -> None:
        """Show the progress after `read_bytes` bytes of the present file."""
        now_s = self._clock()
        done = self._finished_bytes + read_bytes
        due = now_s - self._shown_s >= INTERVAL_S
        if not self._stream.isatty() or not due or not 0 < done <= self._total_bytes:
            return
        self._shown_s = now_s
        left_s = (now_s - self._start_s) * (self._total_bytes - done) / done
        line = f"{done / self._total_bytes:4.0%}, {_minutes(left_s)} left"
        print(WIPE + line, end="", file=self._stream, flush=True)

    def finish(self, file: Path) -> None:
        """Count `file` as read."""
        self._finished_bytes += file.stat().st_size

    def __enter__(self) -> "ByteProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown_s > self._start_s:
            print(WIPE, end="", file=self._stream, flush=True)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
