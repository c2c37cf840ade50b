"""A page that is open in a browser: what it observes, and what goes wrong with it."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import cast

from scripts.base.records import Json, Number, to_json
from scripts.model.problems import Code, Problem, problem
from services import browser
from services.page_state import STATE, CallSecond, PageState
from services.tab import Tab

SILENCE_S = 30
"""How long a page may receive nothing before this is noted."""

PROTOCOLS = {"http/1.1", "h2", "h3"}

REPORT = """
({ failure: window.failure || null, report: window.pageReport ? window.pageReport() : null })
"""
FAILURES = {
    "status": Code.HTTP_STATUS,
    "transfer": Code.TRANSFER_FAILED,
    "player": Code.PLAYER_FAILED,
    "connection": Code.CONNECTION_FAILED,
}
"""The codes of our own pages (services/origin/www/meter.js)."""


@dataclass(frozen=True)
class VisitFailure:
    """The failure of one of our own pages."""

    code: str
    numbers: list[int]


@dataclass(frozen=True)
class OwnReport:
    """The result of REPORT. Only our own pages have one (services/origin/www/meter.js)."""

    failure: VisitFailure | None
    report: dict[str, object] | None


@dataclass(frozen=True)
class Visit:
    """What a visit to a page observed.

    Attributes:
        observation: the part of qoe.json of every page: the protocols, the received bytes, and the browser's
            processor time. Our own pages count the received bytes themselves; for a live service the
            client's host does.
        video: the part of a video; empty if the page has none.
        seconds_of_call: the part of a call; empty if the page has none.
        problem: the first thing that went wrong. None if nothing did.
        watched_s: the time since the first attempt to open the page.
        waited_s: the part of it before the attempt that succeeded.
    """

    observation: dict[str, Json]
    video: dict[str, Json]
    seconds_of_call: list[Json]
    problem: Problem | None
    watched_s: float
    waited_s: float


class VisitedPage:
    """One of our pages, open in a browser. It reports its received bytes and its failure.

    `problem` is the first thing that went wrong. None if nothing did.
    """

    def __init__(self, tab: Tab, address: str, silence_s: float) -> None:
        self.problem: Problem | None = None
        self._tab = tab
        self._address = address
        self._silence_s = silence_s
        self._state: PageState | None = None
        self._report: dict[str, Json] | None = None
        self._was_opened_again = False
        self._first_attempt_s = time.time()
        self._attempt = time.monotonic()
        tab.navigate(address)

    def check(self) -> None:
        """Read the page's state and note what is wrong. Open a page again that did not answer."""
        state = self._tab.evaluate(STATE, PageState) if self._tab.answered else None
        self._note(self._tab.problem)
        if self._tab.unreachable:
            self._note(problem(Code.PAGE_UNREACHABLE))
            self._open_again(browser.REOPEN_S)
        elif state is not None and not self._tab.away:
            self._state = state
            self._check(state)
        elif self._state is None and self._attempt_s > browser.OPEN_S:
            self._note(problem(Code.PAGE_SILENT, browser.OPEN_S))
            self._open_again(browser.OPEN_S)

    def visit(self) -> Visit:
        """What was observed until now."""
        state = self._state
        received = self._received(state)
        if not received["received_bytes"]:
            self._note(problem(Code.NOTHING_RECEIVED))
        origin_s = state.origin_ms / 1000 if state else self._first_attempt_s
        # A busy browser begins a navigation late. That is no wait for the service.
        began_s = self._first_attempt_s if self._was_opened_again else origin_s
        return Visit(
            observation={
                "since_ns": browser.nanoseconds(origin_s * 1000),
                "protocols": [*sorted(PROTOCOLS.intersection(state.protocols if state else ()))],
                **received,
                "cpu_s": browser.cpu_s(),
            },
            video=cast(dict[str, Json], to_json(state.video)) if state and state.video else {},
            seconds_of_call=_with_bytes(state.seconds_of_call if state else (), received),
            problem=self.problem,
            watched_s=time.time() - began_s,
            waited_s=max(0.0, origin_s - began_s),
        )

    @property
    def _attempt_s(self) -> float:
        return time.monotonic() - self._attempt

    def _open_again(self, after_s: float) -> None:
        """Open the page again, unless the last attempt is younger than `after_s`."""
        if self._attempt_s > after_s:
            self._attempt = time.monotonic()
            self._was_opened_again = True
            self._tab.navigate(self._address)

    def _note(self, found: Problem | None) -> None:
        self.problem = self.problem or found

    def _check(self, state: PageState) -> None:
        """Read the page's own report."""
        own = self._tab.evaluate_in_page(REPORT, OwnReport) or OwnReport(None, None)
        if own.failure is not None:
            self._note(problem(FAILURES[own.failure.code], *own.failure.numbers))
        if own.report is not None:
            self._report = cast(dict[str, Json], own.report)
            self._check_silence(cast(Number, self._report.pop("idle_s")))
        elif state.url == self._address and state.status not in (None, 200):
            self._note(problem(Code.HTTP_STATUS, state.status))
        elif self._attempt_s > browser.OPEN_S:
            self._note(problem(Code.PAGE_NOT_LOADED, browser.OPEN_S))

    def _check_silence(self, idle_s: float) -> None:
        if idle_s > self._silence_s:
            self._note(problem(Code.SILENCE, self._silence_s))

    def _received(self, state: PageState | None) -> dict[str, Json]:
        return self._report or {"received_bytes": 0}


def _with_bytes(seconds: Sequence[CallSecond], received: dict[str, Json]) -> list[Json]:
    """The seconds of a call, each with the bytes of all intervals that had ended by then."""
    intervals = cast(list[tuple[float, float, int]], received.get("intervals", []))
    return [
        asdict(second) | {"received_bytes": sum(size for _, end_s, size in intervals if end_s <= second.at_s)}
        for second in seconds
    ]
