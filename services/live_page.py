"""A page of a live service that is open in a browser. The client's host counts what it receives."""

import ctypes
import os
import stat
from contextlib import suppress
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from scripts.base.records import Json
from scripts.model.services import Live
from services.received_traffic import ReceivedTraffic
from services.visited_page import PageState, VisitedPage

_CLICKABLE = (
    "//*[self::button or self::a or @role='button' or @type='submit']"
    '[contains(normalize-space(.), "{words}") or contains(@value, "{words}")]'
)
_PUNCH_HOLE = 0x03
"""fallocate(2): FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE."""


class LivePage(VisitedPage):
    """A page of a live service. It may also be a file, which the browser downloads."""

    def __init__(
        self,
        opened: webdriver.Chrome,
        name: str,
        address: str,
        silence_s: float,
        live: Live,
        downloads: Path,
    ) -> None:
        self._traffic = ReceivedTraffic()
        self._unclicked = list(live.click)
        self._downloads = downloads
        super().__init__(opened, name, address, silence_s)

    def check(self) -> None:
        """As for every page; also click, and free the memory of what was downloaded."""
        self._traffic.sample()
        self._check_silence(self._traffic.idle_s)
        super().check()
        free_downloads(self._downloads)

    def _has_answered(self, state: PageState) -> bool:
        """The page of an address that is a file stays empty."""
        return True

    def _check(self, state: PageState) -> None:
        if (state.status or 200) >= 400:
            self._note(f"{self._name}: HTTP status {state.status}")
        self._unclicked = [words for words in self._unclicked if not self._click(words)]

    def _click(self, words: str) -> bool:
        """Click the button with these words; return whether a click succeeded."""
        with suppress(WebDriverException):  # The element may have disappeared or be covered.
            for element in self._opened.find_elements("xpath", _CLICKABLE.format(words=words)):
                if element.is_displayed():
                    element.click()
                    return True
        return False

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
