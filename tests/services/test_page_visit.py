"""What a visit to a page notes and observes, from the states that a tab tells."""

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scripts.model.drivers import check_observation
from scripts.model.problems import Code, Problem, problem
from scripts.model.services import Probe, Service
from services import browser
from services.page_state import CallSecond, Frames, Height, PageState, VideoState
from services.page_visit import visited_page
from services.visited_page import OwnReport, VisitedPage, VisitFailure

FILE = Service("file", "File", "File transfer", "download", "bbr", Probe(443), hosts=("file.test",))
ADDRESS = "https://file.test/download.html"


@dataclass(frozen=True)
class Told:
    """What a tab tells at one check. It has no state where the page does not answer."""

    state: PageState | None = None
    report: OwnReport | None = None
    unreachable: bool = False
    problem: Problem | None = None
    away: bool = False


def told(
    received_bytes: int | None = 9,
    idle_s: float = 0.0,
    failure: VisitFailure | None = None,
    status: int = 200,
    seconds: Sequence[CallSecond] = (),
    video: VideoState | None = None,
    **more: Any,
) -> Told:
    """What a tab tells of a page that answers; it has no report yet if `received_bytes` is None."""
    report = {"received_bytes": received_bytes, "intervals": [[0.0, 1.0, 4], [1.0, 2.0, 5]], "idle_s": idle_s}
    return Told(
        PageState(ADDRESS, status, 1_795_000_000_000.0, False, ["h2"], video, list(seconds)),
        OwnReport(failure, None if received_bytes is None else report),
        **more,
    )


WAITS = Told()
ERROR_PAGE = Told(unreachable=True)


class Tab:
    """A tab that tells this, and counts how often a page was opened."""

    def __init__(self, *tells: Told) -> None:
        self._tells = list(tells)
        self._told = WAITS
        self.opened: list[str] = []

    def next(self) -> bool:
        """Whether there is more to tell."""
        if self._tells:
            self._told = self._tells.pop(0)
            return True
        return False

    def observe(self, script: str) -> None:
        assert self.opened == []

    def navigate(self, address: str) -> None:
        self.opened.append(address)

    def evaluate(self, expression: str, kind: type) -> PageState | None:
        return self._told.state

    def evaluate_in_page(self, expression: str, kind: type) -> OwnReport | None:
        return copy.deepcopy(self._told.report)

    answered = property(lambda self: self._told.state is not None)
    unreachable = property(lambda self: self._told.unreachable)
    problem = property(lambda self: self._told.problem)
    away = property(lambda self: self._told.away)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Pages are opened again at once."""
    monkeypatch.setattr(browser, "OPEN_S", 0)
    monkeypatch.setattr(browser, "REOPEN_S", 0)


def visited(*tells: Told) -> tuple[VisitedPage, Tab]:
    tab = Tab(*tells)
    page = visited_page(tab, FILE, "download.html", Path())
    while tab.next():
        page.check()
    return page, tab


def test_what_is_observed_of_a_video_that_stalls_matches_the_schema_of_observations():
    video = VideoState(1.5, [(3.0, 4.25)], [Height(1.5, 360)], 9.0, Frames(270, 1))
    page, _ = visited(told(video=video))
    visit = page.visit()
    observation = visit.observation | visit.video
    check_observation(observation, "the visit")
    assert [[3.0, 4.25]] == observation["stalls"]


def test_a_page_that_receives_has_no_problem():
    page, tab = visited(told(received_bytes=5), told())
    visit = page.visit()
    assert (None, 9) == (visit.problem, visit.observation["received_bytes"])
    assert ["h2"] == visit.observation["protocols"]
    assert [ADDRESS] == tab.opened


@pytest.mark.parametrize(("waits", "code"), [(WAITS, Code.PAGE_SILENT), (ERROR_PAGE, Code.PAGE_UNREACHABLE)])
def test_a_page_that_does_not_come_is_opened_again_and_then_counts(waits, code):
    page, tab = visited(waits, waits, told())
    visit = page.visit()
    assert [ADDRESS] * 3 == tab.opened
    assert (code, 9) == (visit.problem.code, visit.observation["received_bytes"])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (told(received_bytes=None, status=503), "the page answered with HTTP status 503"),
        (told(received_bytes=None), "the page was not loaded within 0 s"),
        (told(failure=VisitFailure("status", [500])), "the page answered with HTTP status 500"),
        (told(failure=VisitFailure("transfer", [])), "a transfer of the page failed"),
        (told(idle_s=31), "nothing was received for 30 s"),
        (told(problem=problem(Code.DIALOG)), "the page opened a dialog"),
    ],
)
def test_what_goes_wrong_is_noted_once_and_the_visit_goes_on(wrong, sentence):
    page, tab = visited(wrong, wrong, told(idle_s=40), told(received_bytes=70))
    visit = page.visit()
    assert (sentence, 70) == (str(visit.problem), visit.observation["received_bytes"])
    assert [ADDRESS] == tab.opened


def test_a_page_that_has_left_its_site_is_not_observed():
    visit = visited(told(), told(received_bytes=70, away=True))[0].visit()
    assert 9 == visit.observation["received_bytes"]


def test_a_second_of_a_call_has_the_bytes_that_arrived_before():
    seconds = [CallSecond(at_s, 360, 30, 0, 0) for at_s in (0.5, 1.0, 2.5)]
    visit = visited(told(seconds=seconds))[0].visit()
    assert [0, 4, 9] == [second["received_bytes"] for second in visit.seconds_of_call]


def test_a_service_that_received_nothing_says_so():
    page, _ = visited(told(received_bytes=0))
    assert "nothing was received" == str(page.visit().problem)


def test_a_page_that_never_answered_has_an_observation_from_its_first_attempt_on():
    visit = visited(WAITS, WAITS)[0].visit()
    assert (0, [], 0) == (visit.observation["received_bytes"], visit.observation["protocols"], visit.waited_s)
    assert 0 <= visit.watched_s < 60
    assert visit.observation["since_ns"] > 1_795_000_000_000_000_000 - 10**17


def test_the_wait_before_the_attempt_that_succeeded_counts(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_794_999_980.0)
    assert 20 == visited(ERROR_PAGE, told())[0].visit().waited_s
    assert 0 == visited(told())[0].visit().waited_s, "only the browser was late"
