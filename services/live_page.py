"""A page of a live service that is open in a browser. The client's host counts what it receives.

Some pages do not count what they receive. For them the bytes that arrive at this host count.
"""

import ctypes
import json
import os
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Live
from services.page_state import PageState
from services.tab import Tab
from services.visited_page import VisitedPage

FIND = """
((words) => {
  const clickable = "*[self::button or self::a or @role='button' or @type='submit']";
  const path = `//${clickable}[contains(normalize-space(.), "${words}") or contains(@value, "${words}")]`;
  const kind = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
  const found = Document.prototype.evaluate.call(document, path, document, null, kind, null);
  for (let number = 0; number < found.snapshotLength; number += 1) {
    const element = found.snapshotItem(number);
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    const place = { x: x + width / 2, y: y + height / 2 };
    const top = document.elementFromPoint(place.x, place.y);
    if (top && element.contains(top)) return place;
  }
  return null;
})(%s)
"""
"""The place of the button with these words that nothing covers; null if there is none."""

_PUNCH_HOLE = 0x03
"""fallocate(2): FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE."""


@dataclass(frozen=True)
class PagePlace:
    """A place in the window, in pixels."""

    x: float
    y: float


class LivePage(VisitedPage):
    """A page of a live service. It may also be a file, which the browser downloads."""

    def __init__(self, tab: Tab, address: str, silence_s: float, live: Live, downloads: Path) -> None:
        self._traffic = ReceivedTraffic()
        self._unclicked = list(live.click)
        self._downloads = downloads
        super().__init__(tab, address, silence_s)

    def check(self) -> None:
        """As for every page; also click, and free the memory of what was downloaded."""
        self._traffic.sample()
        self._check_silence(self._traffic.idle_s)
        self._tab.may_move = bool(self._unclicked)
        super().check()
        free_downloads(self._downloads)

    def _check(self, state: PageState) -> None:
        if (state.status or 200) >= 400:
            self._note(problem(Code.HTTP_STATUS, state.status or 0))
        if state.full_screen:
            self._note(problem(Code.FULL_SCREEN))
        self._unclicked = [words for words in self._unclicked if not self._click(words)]

    def _click(self, words: str) -> bool:
        """Click the button with these words; return whether there was one."""
        place = self._tab.evaluate(FIND % json.dumps(words), PagePlace)
        if place is not None:
            self._tab.click(place.x, place.y)
        return place is not None

    def _received(self, state: PageState | None) -> dict[str, Json]:
        since_s = state.origin_ms / 1000 if state else self._first_attempt_s
        return {
            "received_bytes": self._traffic.received_bytes,
            "intervals": self._traffic.intervals(since_s),
        }


def free_downloads(folder: Path) -> None:
    """Free the memory of downloaded files, which may be gigabytes. The browser continues to write them.

    The page decides what is in the folder. Only regular files are opened, and no link is followed.
    """
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            for name in os.listdir(descriptor):
                with suppress(OSError):  # The browser renamed or removed it, or it is not a file.
                    _free(name, descriptor)
        finally:
            os.close(descriptor)


def _free(name: str, folder: int) -> None:
    file = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        status = os.fstat(file)
        if stat.S_ISREG(status.st_mode):
            length = ctypes.c_longlong(status.st_size)
            ctypes.CDLL(None).fallocate(file, _PUNCH_HOLE, ctypes.c_longlong(0), length)
    finally:
        os.close(file)


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
