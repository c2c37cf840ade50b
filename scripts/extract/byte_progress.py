"""How far reading has come, on a terminal."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

EVERY_S = 0.5
WIPE = "\r\x1b[K"


class Progress:
    """One line on a terminal: percent read and time left; nothing where the stream is none."""

    def __init__(
        self, files: Sequence[Path], stream: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._total = sum(file.stat().st_size for file in files)
        self._before = 0
        self._begun = self._shown = clock()

    def show(self, read: int) -> None:
        """Tell how many bytes of the present file are read."""
        now = self._clock()
        done = self._before + read
        if not self._stream.isatty() or now - self._shown < EVERY_S or not 0 < done <= self._total:
            return
        self._shown = now
        left_s = (now - self._begun) * (self._total - done) / done
        line = f"{done / self._total:4.0%}, {_minutes(left_s)} left"
        print(WIPE + line, end="", file=self._stream, flush=True)

    def finish(self, file: Path) -> None:
        """The present file is read."""
        self._before += file.stat().st_size

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown > self._begun:
            print(WIPE, end="", file=self._stream, flush=True)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
