"""A visit to a page: a browser opens it, and its state is read until the visit is over."""

import ctypes
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from scripts.base.records import Json
from scripts.model.services import Live, Service
from services import browser
from services.browser_settings import load_settings
from services.drivers import ServiceError
from services.received_traffic import ReceivedTraffic

SILENCE_S = 30
"""How long a page may receive nothing before the service counts as broken."""

POLL_S = 0.5
OBSERVER = Path(__file__).with_name("observer.js").read_text(encoding="utf-8")
PROTOCOLS = {"http/1.1", "h2", "h3"}

STATE = """
const [page] = performance.getEntriesByType("navigation");
return {
  url: location.href, status: page ? page.responseStatus : null,
  failure: window.failure || null, report: window.pageReport ? window.pageReport() : null,
  observation: window.observation ? window.observation() : {}, origin_ms: performance.timeOrigin,
  protocols: performance.getEntries().map((entry) => entry.nextHopProtocol).filter(Boolean),
};
"""
_CLICKABLE = (
    "//*[self::button or self::a or @role='button' or @type='submit']"
    '[contains(normalize-space(.), "{words}") or contains(@value, "{words}")]'
)
_PUNCH_HOLE = 0x03
"""fallocate(2): FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE."""


@dataclass(frozen=True)
class PageState:
    """The result of STATE. Only our own pages have `failure` and `report` (services/origin/www/meter.js)."""

    url: str
    status: int | None
    failure: str | None
    report: dict[str, Json] | None
    observation: dict[str, Json]
    origin_ms: float
    protocols: list[str]


def address_of(service: Service, page: str) -> str:
    """The address to open: that of a live service, or this page of a self-hosted one."""
    return load_settings().address(service) if service.live else f"https://{service.hosts[0]}/{page}"


def public_name(service: Service, address: str) -> str:
    """The name of a page in errors, which are published. A live service's address may be private."""
    return service.name if service.live else address


def visit(
    service: Service,
    directory: Path,
    page: str,
    seconds: float,
    more_flags: Sequence[str] = (),
    silence_s: float = SILENCE_S,
) -> dict[str, Json]:
    """Open a page of the service and keep it open for `seconds`.

    Returns:
        The observation of a video or a call (services/observer.js), the protocols, the received bytes, the
        browser's processor time, and whether it had a display. Our own pages count the received bytes
        themselves; for a live service this host does.

    Raises:
        ServiceError: the browser or the page failed, or nothing was received for `silence_s`.
    """
    end = time.monotonic() + seconds
    address = address_of(service, page)
    with browser.chromium(service, directory, more_flags) as opened:
        opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OBSERVER})
        name = public_name(service, address)
        page_visit = (
            _LiveVisit(opened, name, service.live, silence_s)
            if service.live
            else _Visit(opened, name, address, silence_s)
        )
        browser.open_page(opened, address, name)
        while (remaining_s := end - time.monotonic()) > 0:
            time.sleep(min(POLL_S, remaining_s))
            page_visit.check()
        observation = page_visit.observation()
        if not observation["received_bytes"]:
            raise ServiceError(f"{name} received nothing in {seconds:g} s")
        return observation | {"cpu_s": browser.cpu_s(), "headless": load_settings().headless}


class _Visit:
    """A visit to one of our pages, which report their received bytes and their failure."""

    def __init__(self, opened: webdriver.Chrome, name: str, address: str, silence_s: float) -> None:
        self._opened = opened
        self._name = name
        self._address = address
        self._silence_s = silence_s
        self._start = time.monotonic()
        self._state: PageState | None = None

    def check(self) -> None:
        """Read the page's state.

        Raises:
            ServiceError: the page failed, or received nothing for too long.
        """
        state = PageState(**self._opened.execute_script(STATE))
        if state.url.startswith("chrome-error:"):
            raise ServiceError(f"{self._name} cannot be reached")
        self._check(state)
        self._state = state

    def observation(self) -> dict[str, Json]:
        """The page's part of qoe.json."""
        state = self._state
        assert state is not None
        return {
            "since_ns": browser.nanoseconds(state.origin_ms),
            "protocols": [*sorted(PROTOCOLS.intersection(state.protocols))],
            **state.observation,
            **self._received(state),
        }

    def _check(self, state: PageState) -> None:
        if state.failure is not None:
            raise ServiceError(f"{self._name}: {state.failure}")
        if state.report is not None:
            idle_s = state.report.pop("idle_s")
            assert isinstance(idle_s, int | float)
            self._check_silence(idle_s)
            return
        if state.url == self._address and state.status not in (None, 200):
            raise ServiceError(f"{self._name}: HTTP status {state.status}")
        if time.monotonic() - self._start > browser.OPEN_S:
            raise ServiceError(f"{self._name} was not loaded within {browser.OPEN_S} s")

    def _check_silence(self, idle_s: float) -> None:
        if idle_s > self._silence_s:
            raise ServiceError(f"{self._name} received nothing for {self._silence_s:g} s")

    def _received(self, state: PageState) -> dict[str, Json]:
        return state.report or {"received_bytes": 0}


class _LiveVisit(_Visit):
    """A visit to a page of a live service. This host counts what it receives."""

    def __init__(self, opened: webdriver.Chrome, name: str, live: Live, silence_s: float) -> None:
        super().__init__(opened, name, "", silence_s)
        self._traffic = ReceivedTraffic()
        self._unclicked = list(live.click)
        profile = Path(opened.capabilities["chrome"]["userDataDir"])
        self._downloads = profile.with_name(browser.DOWNLOADS)

    def _check(self, state: PageState) -> None:
        if (state.status or 200) >= 400:
            raise ServiceError(f"{self._name}: HTTP status {state.status}")
        self._traffic.sample()
        self._check_silence(self._traffic.idle_s)
        self._unclicked = [words for words in self._unclicked if not self._click(words)]
        _free_downloads(self._downloads)

    def _click(self, words: str) -> bool:
        """Click the button with these words; return whether a click succeeded."""
        for element in self._opened.find_elements("xpath", _CLICKABLE.format(words=words)):
            with suppress(WebDriverException):  # The element may have disappeared or be covered.
                if element.is_displayed():
                    element.click()
                    return True
        return False

    def _received(self, state: PageState) -> dict[str, Json]:
        return {
            "received_bytes": self._traffic.received_bytes,
            "intervals": self._traffic.intervals(state.origin_ms / 1000),
        }


def _free_downloads(folder: Path) -> None:
    """Free the memory of downloaded files, which may be gigabytes. The browser continues to write them."""
    for path in folder.iterdir():
        with path.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            ctypes.CDLL(None).fallocate(
                file.fileno(), _PUNCH_HOLE, ctypes.c_longlong(0), ctypes.c_longlong(size)
            )
