"""The progress of long work on bytes: one line of a terminal, and elsewhere a line now and then."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from scripts.base.plain import plain
from scripts.model.durations import readable

TERMINAL_S, SHOWN_S, ELSEWHERE_S = 1.0, 30.0, 300.0
"""How often progress is shown: on a terminal; elsewhere to a reader who waits; and in a log."""

WIPE = "\r\x1b[K"


def roughly(seconds: float) -> str:
    """A guess of a duration, in words."""
    return "less than a minute" if seconds < 60 else f"about {readable(seconds)}"


class ByteProgress:
    """Shows the part that is done of so many bytes, and the time left.

    Args:
        total_bytes: all bytes.
        word: what is done with them, such as `sent`.
        stream: where it is shown; None: standard error.
        elsewhere_s: how often it is shown if the stream is no terminal.
        clock: seconds since any moment.
    """

    def __init__(
        self,
        total_bytes: int,
        word: str,
        stream: TextIO | None = None,
        elsewhere_s: float = ELSEWHERE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total_bytes, self._word, self._clock = total_bytes, word, clock
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._interval_s = TERMINAL_S if self._terminal else elsewhere_s
        self._began_s = self._shown_s = clock()
        self._before_bytes = self._group_bytes = 0
        self._what = ""

    def begin(self, what: str, group_bytes: int) -> None:
        """Begin a group of files of so many bytes. The one before is done."""
        self._before_bytes += self._group_bytes
        self._group_bytes, self._what = group_bytes, what

    def show(self, done_bytes: int) -> None:
        """Show the progress after so many bytes of the group."""
        now_s = self._clock()
        if now_s - self._shown_s < self._interval_s:
            return
        self._shown_s = now_s
        done = self._before_bytes + min(done_bytes, self._group_bytes)
        left_s = (now_s - self._began_s) * (self._total_bytes - done) / done if done else None
        left = "" if left_s is None else f", {roughly(left_s)} left"
        line = f"{self._word} {done / 1e6:,.1f} of {self._total_bytes / 1e6:,.1f} MB ({self._what}){left}"
        start, end = (WIPE, "") if self._terminal else ("", "\n")
        print(start + plain(line), end=end, file=self._stream, flush=True)

    def __enter__(self) -> "ByteProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal:
            print(WIPE, end="", file=self._stream, flush=True)
