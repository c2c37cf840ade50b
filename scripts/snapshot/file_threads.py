"""Works on many files at once, in a few threads."""

import threading
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
AddBytes = Callable[[int], None]
"""Is called with the bytes that were done since the last call."""

LOOK_S, PATIENCE_S = 0.2, 1.0


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
