"""One load of a web page, and what it observes.

A load ends when the page stands, or at the schedule's `limit_s`. A load that ends at the limit is censored:
the page was complete later than that, or never. A page that fails (it cannot be reached, answers with an
HTTP error, lacks pictures) does not stand.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver

from scripts.base.records import Json
from scripts.metrics.qoe import speed_index, visually_complete
from scripts.model.services import Service
from services import browser, page_visit
from services.screencast import Screencast
from services.use_time import UseTime
from services.visited_page import PROTOCOLS

LEVEL = 0.95
"""A page counts as loaded once this fraction of the area above the fold is complete (Prudentia 5.2)."""

SETTLE_S = 1.5
"""How long a page may still change after its load event."""

POLL_S = 0.03

FACTS = """
const [page] = performance.getEntriesByType("navigation");
const resources = performance.getEntriesByType("resource");
return {
  url: location.href, status: page.responseStatus,
  origin_ms: performance.timeOrigin, load_event_s: page.loadEventEnd / 1000,
  requests: 1 + resources.length,
  received_bytes: [page, ...resources].reduce((sum, entry) => sum + entry.transferSize, 0),
  protocols: [...new Set([page, ...resources].map((entry) => entry.nextHopProtocol))].filter(Boolean).sort(),
  broken_images: [...document.images].filter((image) => !(image.complete && image.naturalWidth)).length,
};
"""


@dataclass(frozen=True)
class PageFacts:
    """The result of FACTS."""

    url: str
    status: int
    origin_ms: float
    load_event_s: float
    requests: int
    received_bytes: int
    protocols: list[str]
    broken_images: int


@dataclass(frozen=True)
class PageLoad:
    """One load: its part of qoe.json, what went wrong, its protocols, the browser's processor time.

    `ended` is when it ended (monotonic clock).
    """

    observation: dict[str, Json]
    problem: str | None
    received_bytes: int
    protocols: frozenset[str]
    cpu_s: float
    ended: float

    @property
    def is_censored(self) -> bool:
        """Whether it had not ended at its limit."""
        return self.observation["censored"] is True


class LoadInProgress:
    """One load of the page in a new browser, from now on."""

    def __init__(
        self, opened: webdriver.Chrome, service: Service, directory: Path, use_time: UseTime
    ) -> None:
        assert service.schedule is not None and service.schedule.limit_s is not None
        self._opened = opened
        self._is_live = service.live is not None
        self._address = page_visit.address_of(service, service.page.path if service.page else "", directory)
        self._name = page_visit.public_name(service, self._address)
        self._use_time = use_time
        self._limit_s = service.schedule.limit_s
        self._problem: str | None = None
        self._attempts = 0
        self._checked = 0.0
        self._screencast = Screencast(opened)
        self._screencast.start()
        self._started_s = time.time()
        self._deadline = time.monotonic() + self._limit_s

    def finish(self) -> PageLoad | None:
        """Wait until the page stands, or until the limit; None if the time of the trial ends before."""
        self._open()
        while time.monotonic() < self._deadline:
            if not self._use_time.left_s:
                return None
            self._follow()
            if self._has_settled and (facts := self._facts()) and self._stands(facts):
                return self._whole(facts)
        return self._censored()

    def _open(self) -> None:
        self._attempts += 1
        self._attempt = time.monotonic()
        self._has_answered = False
        self._screencast.unreachable = False
        browser.open_page(self._opened, self._address)

    def _follow(self) -> None:
        """Read what the browser shows. Before the first bytes of the page it shows nothing."""
        if not self._has_answered:
            time.sleep(POLL_S)
            answer = browser.ask(self._opened, "return location.href")
            self._has_answered = answer not in (None, browser.EMPTY)
            return
        self._screencast.poll()
        if self._screencast.unreachable:
            self._note(f"{self._name} cannot be reached")
            if time.monotonic() > self._attempt + browser.REOPEN_S:
                self._open()

    @property
    def _has_settled(self) -> bool:
        """Whether the load event was SETTLE_S ago, and so was the last time that the page did not stand."""
        loaded = self._screencast.loaded
        return loaded is not None and time.monotonic() > max(loaded, self._checked) + SETTLE_S

    def _facts(self) -> PageFacts | None:
        """The page's facts; None if it does not answer."""
        answer = browser.ask(self._opened, FACTS)
        return PageFacts(**answer) if isinstance(answer, dict) else None

    def _stands(self, facts: PageFacts) -> bool:
        """Whether the page is shown as it must be. Broken images of a live page are not checked."""
        self._checked = time.monotonic()
        times_s, _ = self._screencast.completeness(self._since_s(facts))
        if facts.url != self._address and not self._is_live:
            self._note(f"{self._name} cannot be reached")
        elif facts.status != 200:
            self._note(f"{self._name}: HTTP status {facts.status}")
        elif facts.broken_images and not self._is_live:
            self._note(f"{self._name}: {facts.broken_images} pictures did not load")
        elif len(times_s) < 2:
            self._note(f"{self._name}: no picture was shown")
        else:
            return True
        return False

    def _note(self, problem: str) -> None:
        self._problem = self._problem or problem

    def _since_s(self, facts: PageFacts) -> float:
        """When the load began (Unix time): when the browser began to open the page for the first time."""
        return facts.origin_ms / 1000 if self._attempts == 1 else self._started_s

    def _whole(self, facts: PageFacts) -> PageLoad:
        since_s = self._since_s(facts)
        times_s, completeness = self._screencast.completeness(since_s)
        times = {
            "visually_complete_s": visually_complete(times_s, completeness, LEVEL),
            "speed_index_s": speed_index(times_s, completeness),
            "load_event_s": facts.origin_ms / 1000 - since_s + facts.load_event_s,
        }
        return self._load(since_s, {"censored": False, **times}, facts)

    def _censored(self) -> PageLoad:
        """The load at its limit, which is a lower bound of its times."""
        self._opened.execute_cdp_cmd("Page.stopLoading", {})  # A page that still waits answers no script.
        times = {"visually_complete_s": self._limit_s, "speed_index_s": self._limit_s, "load_event_s": None}
        return self._load(self._started_s, {"censored": True, **times}, self._facts())

    def _load(self, since_s: float, times: dict[str, Json], facts: PageFacts | None) -> PageLoad:
        pictures = zip(*self._screencast.completeness(since_s), strict=True)
        received_bytes = facts.received_bytes if facts else 0
        return PageLoad(
            observation={
                "since_ns": browser.nanoseconds(since_s * 1000),
                **times,
                "completeness": [[time_s, part] for time_s, part in pictures],
                "requests": facts.requests if facts else 0,
                "received_bytes": received_bytes,
            },
            problem=self._problem,
            received_bytes=received_bytes,
            protocols=frozenset(PROTOCOLS.intersection(facts.protocols if facts else ())),
            cpu_s=browser.cpu_s(),
            ended=time.monotonic(),
        )
