"""A page that is open in a browser: what it observes, and what goes wrong with it."""

import time
from dataclasses import dataclass

from selenium import webdriver

from scripts.base.records import Json
from services import browser

SILENCE_S = 30
"""How long a page may receive nothing before this is noted."""

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
            and the browser's processor time. Our own pages count the received bytes themselves; for a live
            service the client's host does.
        problem: the first thing that went wrong. None if nothing did.
        watched_s: the time since the first attempt to open the page.
        waited_s: the part of it before the attempt that succeeded.
    """

    observation: dict[str, Json]
    problem: str | None
    watched_s: float
    waited_s: float


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
        self._was_opened_again = False
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
        }
        # A busy browser begins a navigation late. That is no wait for the service.
        began_s = self._first_attempt_s if self._was_opened_again else origin_s
        return Visit(observation, self.problem, time.time() - began_s, max(0.0, origin_s - began_s))

    @property
    def _attempt_s(self) -> float:
        return time.monotonic() - self._attempt

    def _open_again(self, after_s: float) -> None:
        """Open the page again, unless the last attempt is younger than `after_s`."""
        if self._attempt_s > after_s:
            self._attempt = time.monotonic()
            self._was_opened_again = True
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
