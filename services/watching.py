"""A page in a browser, watched while it does what it is there for."""

import ctypes
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from services import browser
from services.arrivals import Arrivals
from services.drivers import ServiceError
from services.preparation import load_settings

SILENCE_S = 30
"""How long a page may receive nothing before the service counts as broken."""

POLL_S = 0.5
OBSERVER = Path(__file__).with_name("observer.js").read_text(encoding="utf-8")
PROTOCOLS = {"http/1.1", "h2", "h3"}

STATE = """
const [page] = performance.getEntriesByType("navigation");
return {
  place: location.href, status: page ? page.responseStatus : null,
  failed: window.failed || null, seen: window.seen ? window.seen() : null,
  observed: window.observed ? window.observed() : {}, origin_ms: performance.timeOrigin,
  protocols: performance.getEntries().map((entry) => entry.nextHopProtocol),
};
"""
_CLICKABLE = (
    "//*[self::button or self::a or @role='button' or @type='submit']"
    '[contains(normalize-space(.), "{words}") or contains(@value, "{words}")]'
)
_PUNCH_HOLE = 0x03
"""fallocate(2): FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE."""


def address_of(service: dict[str, Any], page: str) -> str:
    """What to open: of a live service its own address, of a self-hosted one this page."""
    if "live" in service:
        return load_settings().address(service)
    return f"https://{service['hosts'][0]}/{page}"


def name_of(service: dict[str, Any], address: str) -> str:
    """What errors, which are published, call a page: that of a live service may be its operator's own."""
    return str(service["name"]) if "live" in service else address


def watch(
    service: dict[str, Any],
    directory: Path,
    page: str,
    seconds: float,
    more_flags: Sequence[str] = (),
    silence_s: float = SILENCE_S,
) -> dict[str, Any]:
    """Open a page of the service and keep it open until `seconds` are over.

    Returns:
        What was noticed of its film or call (services/observer.js), what it came by, the browser's processor
        time, whether it had a display. What arrived is as the panel's pages count it in their own `seen()`,
        for a live service as this host does.

    Raises:
        ServiceError: the browser or the page broke, or nothing was received for `silence_s`.
    """
    end = time.monotonic() + seconds
    address = address_of(service, page)
    with browser.chromium(service, directory, more_flags) as opened:
        opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OBSERVER})
        visit = (_LiveVisit if "live" in service else _Visit)(opened, service, address, silence_s)
        browser.open_page(opened, address, visit.name)
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(POLL_S, left))
            visit.look()
        seen = visit.seen()
        if not seen["received_bytes"]:
            raise ServiceError(f"{visit.name} received nothing in {seconds:g} s")
        return seen | {"cpu_s": browser.cpu_s(), "headless": load_settings().headless}


class _Visit:
    """A page of the panel, which tells itself what it received and what broke it."""

    def __init__(
        self, opened: webdriver.Chrome, service: dict[str, Any], address: str, silence_s: float
    ) -> None:
        self._opened = opened
        self._address = address
        self._silence_s = silence_s
        self._start = time.monotonic()
        self._state: dict[str, Any] = {}
        self.name = name_of(service, address)

    def look(self) -> None:
        """Ask the page.

        Raises:
            ServiceError: it is broken, or silent for too long.
        """
        self._state = self._opened.execute_script(STATE)
        if self._state["place"].startswith("chrome-error:"):
            raise ServiceError(f"{self.name} cannot be reached")
        self._check()

    def seen(self) -> dict[str, Any]:
        """What has been noticed, for qoe.json."""
        return {
            "since_ns": browser.nanoseconds(self._state["origin_ms"]),
            "protocols": sorted(PROTOCOLS.intersection(self._state["protocols"])),
            **self._state["observed"],
            **self._received(),
        }

    def _check(self) -> None:
        state = self._state
        if state["failed"] is not None:
            raise ServiceError(f"{self.name}: {state['failed']}")
        if state["seen"] is None:
            if state["place"] == self._address and state["status"] not in (None, 200):
                raise ServiceError(f"{self.name}: HTTP status {state['status']}")
            if time.monotonic() - self._start > browser.OPEN_S:
                raise ServiceError(f"{self.name} was not loaded within {browser.OPEN_S} s")
        else:
            self._refuse_silence(state["seen"].pop("idle_s"))

    def _refuse_silence(self, idle_s: float) -> None:
        if idle_s > self._silence_s:
            raise ServiceError(f"{self.name} received nothing for {self._silence_s:g} s")

    def _received(self) -> dict[str, Any]:
        return self._state["seen"] or {"received_bytes": 0}


class _LiveVisit(_Visit):
    """A page that knows nothing of this project: what it received is what arrived at this host."""

    def __init__(
        self, opened: webdriver.Chrome, service: dict[str, Any], address: str, silence_s: float
    ) -> None:
        super().__init__(opened, service, address, silence_s)
        self._arrivals = Arrivals()
        self._to_click = list(service["live"].get("click", []))

    def _check(self) -> None:
        if (self._state["status"] or 200) >= 400:
            raise ServiceError(f"{self.name}: HTTP status {self._state['status']}")
        self._arrivals.note()
        self._refuse_silence(self._arrivals.idle_s)
        self._to_click = [words for words in self._to_click if not self._click(words)]
        _forget_downloads(
            Path(self._opened.capabilities["chrome"]["userDataDir"]).with_name(browser.DOWNLOADS)
        )

    def _click(self, words: str) -> bool:
        """Click the button of these words; return whether it could be done."""
        for found in self._opened.find_elements("xpath", _CLICKABLE.format(words=words)):
            with suppress(WebDriverException):  # such as one that has gone, or is covered yet
                if found.is_displayed():
                    found.click()
                    return True
        return False

    def _received(self) -> dict[str, Any]:
        return {
            "received_bytes": self._arrivals.received_bytes,
            "intervals": self._arrivals.intervals(self._state["origin_ms"] / 1000),
        }


def _forget_downloads(folder: Path) -> None:
    """Free the room that downloads take, which may be gigabytes of memory; the browser goes on writing."""
    for path in folder.iterdir():
        with path.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            ctypes.CDLL(None).fallocate(
                file.fileno(), _PUNCH_HOLE, ctypes.c_longlong(0), ctypes.c_longlong(size)
            )
