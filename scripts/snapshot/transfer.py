"""Works on many files at once, and shows the progress: a line on a terminal, elsewhere one now and then."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TextIO, TypeVar

from scripts.base.plain import plain
from scripts.model.durations import readable

Item = TypeVar("Item")
AddBytes = Callable[[int], None]
"""Is called with the bytes that were done since the last call."""

LOOK_S, PATIENCE_S = 0.2, 1.0

TERMINAL_S, SHOWN_S, ELSEWHERE_S = 1.0, 30.0, 300.0
"""How often progress is shown: on a terminal; elsewhere to a reader who waits; and in a log."""

WIPE = "\r\x1b[K"


class _EndedError(Exception):
    """The work was ended by an error of another file, or by Ctrl-C."""


def work_through(
    work: Callable[[Item, AddBytes], None], items: Iterable[Item], threads: int, show: Callable[[int], None]
) -> None:
    """Do the work of every item in a few threads. The first error ends the rest where it calls `add_bytes`.

    Args:
        work: what to do with an item.
        items: the items, in the order in which they are begun.
        threads: how many at once.
        show: called again and again with the bytes that are done.

    Raises:
        Exception: what `work` raised first. A thread that waits for the network ends by itself later.
    """
    crew = _Crew(work, iter(list(items)))
    members = [threading.Thread(target=crew.run, daemon=True) for _ in range(threads)]
    try:
        for member in members:
            member.start()
        for _ in members:
            crew.wait_for_one(show)
    finally:
        crew.ended.set()
        for member in members:
            member.join(PATIENCE_S)


class _Crew:
    """What the threads share."""

    def __init__(self, work: Callable[[Item, AddBytes], None], items: Iterator[Item]) -> None:
        self.ended = threading.Event()
        self._work, self._items, self._done_bytes = work, items, 0
        self._lock = threading.Lock()
        self._results: SimpleQueue[BaseException | None] = SimpleQueue()

    def run(self) -> None:
        """Work until no item is left, or until another thread failed."""
        try:
            while not self.ended.is_set():
                with self._lock:
                    item = next(self._items)
                self._work(item, self._add_bytes)
        except (StopIteration, _EndedError):
            self._results.put(None)
        except BaseException as error:
            self._results.put(error)

    def wait_for_one(self, show: Callable[[int], None]) -> None:
        """Wait until a thread has no more to do; raises its error."""
        while True:
            try:
                error = self._results.get(timeout=LOOK_S)
            except Empty:
                show(self._done_bytes)
                continue
            if error is not None:
                raise error
            return

    def _add_bytes(self, count: int) -> None:
        if self.ended.is_set():
            raise _EndedError
        with self._lock:
            self._done_bytes += count


def roughly(seconds: float) -> str:
    """A guess of a duration, in words."""
    return "less than a minute" if seconds < 60 else f"about {readable(seconds)}"


class Transfer:
    """Shows the part that is done of so many bytes, and the time left; `word` is such as `sent`."""

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

    def show(self, copied_bytes: int) -> None:
        """Show the progress after so many bytes of the group."""
        now_s = self._clock()
        if now_s - self._shown_s < self._interval_s:
            return
        self._shown_s = now_s
        done = self._before_bytes + min(copied_bytes, self._group_bytes)
        left_s = (now_s - self._began_s) * (self._total_bytes - done) / done if done else None
        left = "" if left_s is None else f", {roughly(left_s)} left"
        line = f"{self._word} {done / 1e6:,.1f} of {self._total_bytes / 1e6:,.1f} MB ({self._what}){left}"
        start, end = (WIPE, "") if self._terminal else ("", "\n")
        print(start + plain(line), end=end, file=self._stream, flush=True)

    def __enter__(self) -> "Transfer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal:
            print(WIPE, end="", file=self._stream, flush=True)
