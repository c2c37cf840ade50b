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
from services.received_traffic import ReceivedTraffic
from services.use_time import UseTime

SILENCE_S = 30
"""How long a page may receive nothing before this is noted."""

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


@dataclass(frozen=True)
class Visit:
    """What a visit to a page observed.

    Attributes:
        observation: its part of qoe.json: that of services/observer.js, the protocols, the received bytes,
            the browser's processor time, and whether it had a display. Our own pages count the received
            bytes themselves; for a live service the client's host does.
        problem: the first thing that went wrong. None if nothing did.
        watched_s: the time since the first attempt to open the page.
        waited_s: the part of it before the attempt that succeeded.
    """

    observation: dict[str, Json]
    problem: str | None
    watched_s: float
    waited_s: float


def address_of(service: Service, page: str) -> str:
    """The address to open: that of a live service, or this page of a self-hosted one."""
    return load_settings().address(service) if service.live else f"https://{service.hosts[0]}/{page}"


def public_name(service: Service, address: str) -> str:
    """The name of a page in what is published. A live service's address may be private."""
    return service.name if service.live else address


def visit(
    service: Service, directory: Path, page: str, seconds: float, more_flags: Sequence[str] = ()
) -> Visit:
    """Open a page of the service and keep it open for the time of its driver (services/use_time.py).

    Raises:
        ServiceError: the browser failed.
    """
    use_time = UseTime(seconds, directory)
    with browser.chromium(service, directory, more_flags) as opened:
        visited = visited_page(opened, service, page)
        while use_time.left_s:
            use_time.wait(POLL_S)
            visited.check()
        return visited.visit()


def visited_page(
    opened: webdriver.Chrome, service: Service, page: str, silence_s: float = SILENCE_S
) -> "VisitedPage":
    """Open a page of the service. It may receive nothing for `silence_s`."""
    opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OBSERVER})
    address = address_of(service, page)
    name = public_name(service, address)
    if service.live:
        return _LivePage(opened, name, address, silence_s, service.live)
    return VisitedPage(opened, name, address, silence_s)


class VisitedPage:
    """One of our pages, open in a browser. It reports its received bytes and its failure.

    `problem` is the first thing that went wrong. None if nothing did.
    """

    def __init__(self, opened: webdriver.Chrome, name: str, address: str, silence_s: float) -> None:
        self.problem: str | None = None
        self._opened = opened
        self._name = name
        self._address = address
        self._silence_s = silence_s
        self._state: PageState | None = None
        self._first_attempt_s = time.time()
        self._attempt = time.monotonic()
        browser.open_page(opened, address)

    def check(self) -> None:
        """Read the page's state and note what is wrong. Open a page again that did not answer."""
        answer = browser.ask(self._opened, STATE)
        state = PageState(**answer) if isinstance(answer, dict) else None
        if state is not None and state.url.startswith(browser.ERROR_PAGE):
            self._note(f"{self._name} cannot be reached")
            self._open_again(browser.REOPEN_S)
        elif state is not None and self._has_answered(state):
            self._state = state
            self._check(state)
        elif self._state is None and self._attempt_s > browser.OPEN_S:
            self._note(f"{self._name} did not answer within {browser.OPEN_S} s")
            self._open_again(browser.OPEN_S)

    def visit(self) -> Visit:
        """What was observed until now."""
        state = self._state
        received = self._received(state)
        if not received["received_bytes"]:
            self._note(f"{self._name} received nothing")
        origin_s = state.origin_ms / 1000 if state else self._first_attempt_s
        observation: dict[str, Json] = {
            "since_ns": browser.nanoseconds(origin_s * 1000),
            "protocols": [*sorted(PROTOCOLS.intersection(state.protocols if state else ()))],
            **(state.observation if state else {}),
            **received,
            "cpu_s": browser.cpu_s(),
            "headless": load_settings().headless,
        }
        waited_s = max(0.0, origin_s - self._first_attempt_s)
        return Visit(observation, self.problem, time.time() - self._first_attempt_s, waited_s)

    @property
    def _attempt_s(self) -> float:
        return time.monotonic() - self._attempt

    def _open_again(self, after_s: float) -> None:
        """Open the page again, unless the last attempt is younger than `after_s`."""
        if self._attempt_s > after_s:
            self._attempt = time.monotonic()
            browser.open_page(self._opened, self._address)

    def _note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def _has_answered(self, state: PageState) -> bool:
        return state.url != browser.EMPTY

    def _check(self, state: PageState) -> None:
        if state.failure is not None:
            self._note(f"{self._name}: {state.failure}")
        if state.report is not None:
            idle_s = state.report.pop("idle_s")
            assert isinstance(idle_s, int | float)
            self._check_silence(idle_s)
        elif state.url == self._address and state.status not in (None, 200):
            self._note(f"{self._name}: HTTP status {state.status}")
        elif self._attempt_s > browser.OPEN_S:
            self._note(f"{self._name} was not loaded within {browser.OPEN_S} s")

    def _check_silence(self, idle_s: float) -> None:
        if idle_s > self._silence_s:
            self._note(f"{self._name} received nothing for {self._silence_s:g} s")

    def _received(self, state: PageState | None) -> dict[str, Json]:
        return state.report if state and state.report else {"received_bytes": 0}


class _LivePage(VisitedPage):
    """A page of a live service. This host counts what it receives."""

    def __init__(
        self, opened: webdriver.Chrome, name: str, address: str, silence_s: float, live: Live
    ) -> None:
        self._traffic = ReceivedTraffic()
        self._unclicked = list(live.click)
        profile = Path(opened.capabilities["chrome"]["userDataDir"])
        self._downloads = profile.with_name(browser.DOWNLOADS)
        super().__init__(opened, name, address, silence_s)

    def check(self) -> None:
        self._traffic.sample()
        self._check_silence(self._traffic.idle_s)
        super().check()
        _free_downloads(self._downloads)

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


def _free_downloads(folder: Path) -> None:
    """Free the memory of downloaded files, which may be gigabytes. The browser continues to write them."""
    for path in folder.iterdir():
        with path.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            ctypes.CDLL(None).fallocate(
                file.fileno(), _PUNCH_HOLE, ctypes.c_longlong(0), ctypes.c_longlong(size)
            )
