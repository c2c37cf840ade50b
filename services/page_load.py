"""One load of a web page, and what it observes.

A load ends when the page stands, or at the schedule's `limit_s`. A load that ends at the limit is censored:
the page was complete later than that, or never. A page that fails (it cannot be reached, answers with an
HTTP error, lacks pictures) does not stand.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from scripts.base.records import Json
from scripts.metrics.qoe import speed_index, visually_complete
from scripts.model.problems import Code, Problem, problem
from scripts.model.services import Service
from services import browser, page_visit
from services.page_traffic import PageTraffic
from services.screencast import Screencast
from services.tab import Tab
from services.use_time import UseTime
from services.visited_page import PROTOCOLS

LEVEL = 0.95
"""A page counts as loaded once this fraction of the area above the fold is complete (Prudentia 5.2)."""

SETTLE_S = 1.5
"""How long a page may still change after its load event."""

POLL_S = 0.03

BROKEN_IMAGES = "[...document.images].filter((image) => !(image.complete && image.naturalWidth)).length"


@dataclass(frozen=True)
class PageLoad:
    """One load: its part of qoe.json, what went wrong, its protocols, the browser's processor time.

    `misconduct` is what the page did that no service must do. `ended` is when it ended (monotonic clock).
    """

    observation: dict[str, Json]
    problem: Problem | None
    misconduct: Problem | None
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

    def __init__(self, tab: Tab, service: Service, directory: Path, use_time: UseTime) -> None:
        assert service.schedule is not None and service.schedule.limit_s is not None
        self._tab = tab
        self._is_live = service.live is not None
        self._address = page_visit.address_of(service, service.page.path if service.page else "", directory)
        self._use_time = use_time
        self._limit_s = service.schedule.limit_s
        self._problem: Problem | None = None
        self._attempts = 0
        self._checked = 0.0
        self._loaded: float | None = None
        self._screencast = Screencast(tab)
        self._traffic = PageTraffic(tab.main_frame)
        tab.listeners.append(self._traffic.hear)
        tab.count_traffic()
        self._started_s = time.time()
        self._deadline = time.monotonic() + self._limit_s

    def finish(self) -> PageLoad | None:
        """Wait until the page stands; None if the time of the trial ends before.

        A page that has no load event by the limit is given up. One that has still gets the time to stand.
        """
        self._open()
        while time.monotonic() < self._deadline + (0 if self._loaded is None else 2 * SETTLE_S):
            if not self._use_time.left_s:
                return None
            self._follow()
            if self._has_settled and self._stands():
                return self._whole()
        return self._censored()

    def _open(self) -> None:
        self._attempts += 1
        self._attempt = time.monotonic()
        self._loaded = None
        self._traffic.begin()
        self._tab.navigate(self._address)

    def _follow(self) -> None:
        """Handle what the browser tells. Open a page again that cannot be reached."""
        self._tab.follow(POLL_S)
        if self._tab.unreachable:
            self._note(problem(Code.PAGE_UNREACHABLE))
            if time.monotonic() > self._attempt + browser.REOPEN_S:
                self._open()
        elif self._loaded is None and self._tab.answered and self._traffic.load_event_s is not None:
            self._loaded = time.monotonic()

    @property
    def _has_settled(self) -> bool:
        """Whether the load event was SETTLE_S ago, and so was the last time that the page did not stand."""
        return self._loaded is not None and time.monotonic() > max(self._loaded, self._checked) + SETTLE_S

    def _stands(self) -> bool:
        """Whether the page is shown as it must be. Broken images of a live page are not checked."""
        self._checked = time.monotonic()
        times_s, _ = self._screencast.completeness(self._since_s)
        broken_images = 0 if self._is_live else self._tab.evaluate(BROKEN_IMAGES, int)
        if broken_images is None or self._tab.away:
            return False
        if self._traffic.status != 200:
            self._note(problem(Code.HTTP_STATUS, self._traffic.status or 0))
        elif broken_images:
            self._note(problem(Code.PICTURES_MISSING, broken_images))
        elif len(times_s) < 2:
            self._note(problem(Code.NOTHING_SHOWN))
        else:
            return True
        return False

    def _note(self, found: Problem) -> None:
        self._problem = self._problem or found

    @property
    def _since_s(self) -> float:
        """When the load began (Unix time): when the browser began to open the page for the first time."""
        return self._traffic.start_s or self._started_s if self._attempts == 1 else self._started_s

    def _whole(self) -> PageLoad:
        since_s = self._since_s
        start_s, load_event_s = self._traffic.start_s, self._traffic.load_event_s
        assert start_s is not None and load_event_s is not None
        times_s, completeness = self._screencast.completeness(since_s)
        times = {
            "visually_complete_s": visually_complete(times_s, completeness, LEVEL),
            "speed_index_s": speed_index(times_s, completeness),
            "load_event_s": start_s - since_s + load_event_s,
        }
        return self._load(since_s, {"censored": False, **times})

    def _censored(self) -> PageLoad:
        """The load at its limit, which is a lower bound of its times."""
        times = {"visually_complete_s": self._limit_s, "speed_index_s": self._limit_s, "load_event_s": None}
        return self._load(self._started_s, {"censored": True, **times})

    def _load(self, since_s: float, times: dict[str, Json]) -> PageLoad:
        pictures = zip(*self._screencast.completeness(since_s), strict=True)
        return PageLoad(
            observation={
                "since_ns": browser.nanoseconds(since_s * 1000),
                **times,
                "completeness": [[time_s, part] for time_s, part in pictures],
                "requests": self._traffic.requests,
                "received_bytes": self._traffic.received_bytes,
            },
            problem=self._problem,
            misconduct=self._tab.problem,
            received_bytes=self._traffic.received_bytes,
            protocols=frozenset(PROTOCOLS.intersection(self._traffic.protocols)),
            cpu_s=browser.cpu_s(),
            ended=time.monotonic(),
        )
