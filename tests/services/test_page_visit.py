"""What a visit to a page notes and observes, from the states that a browser tells."""

import copy
import time
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import TimeoutException, WebDriverException

from scripts.model.services import Probe, Service
from services import browser
from services.page_visit import visited_page
from services.visited_page import VisitedPage

FILE = Service("file", "File", "File transfer", "download", "bbr", Probe(443), hosts=("file.test",))
ADDRESS = "https://file.test/download.html"
WAITS = None
"""The state of a page without an answer."""


def state(url: str = ADDRESS, received_bytes: int | None = 9, idle_s: float = 0.0, **more: Any) -> dict:
    """What the page says; it has no report yet if `received_bytes` is None."""
    report = {"received_bytes": received_bytes, "intervals": [], "idle_s": idle_s}
    return {
        "url": url,
        "status": 200,
        "failure": None,
        "report": None if received_bytes is None else report,
        "observation": {},
        "origin_ms": 1_795_000_000_000.0,
        "protocols": ["h2"],
    } | more


ERROR_PAGE = state("chrome-error://chromewebdata/", None, status=0)
EMPTY = state(browser.EMPTY, None, status=0)


class Browser:
    """A browser with given states, which counts how often a page was opened."""

    def __init__(self, *states: dict | None) -> None:
        self.states = list(states)
        self.opened: list[str] = []

    def get(self, address: str) -> None:
        self.opened.append(address)

    def execute_script(self, script: str) -> dict:
        answer = copy.deepcopy(self.states.pop(0))
        if answer is WAITS:
            raise TimeoutException("script timeout")
        return answer

    def execute_cdp_cmd(self, command: str, parameters: dict) -> dict:
        return {}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Pages are opened again at once."""
    monkeypatch.setattr(browser, "OPEN_S", 0)
    monkeypatch.setattr(browser, "REOPEN_S", 0)


def visited(*states: dict | None) -> tuple[VisitedPage, Browser]:
    fake = Browser(*states)
    page = visited_page(fake, FILE, "download.html", Path())
    while fake.states:
        page.check()
    return page, fake


def test_a_page_that_receives_has_no_problem():
    page, fake = visited(state(received_bytes=5), state())
    visit = page.visit()
    assert (None, 9) == (visit.problem, visit.observation["received_bytes"])
    assert ["h2"] == visit.observation["protocols"]
    assert [ADDRESS] == fake.opened


@pytest.mark.parametrize(
    ("states", "problem"),
    [
        ([WAITS], f"{ADDRESS} did not answer within 0 s"),
        ([EMPTY], f"{ADDRESS} did not answer within 0 s"),
        ([ERROR_PAGE], f"{ADDRESS} cannot be reached"),
    ],
)
def test_a_page_that_does_not_come_is_opened_again_and_then_counts(states, problem):
    page, fake = visited(*states, *states, state())
    visit = page.visit()
    assert [ADDRESS] * 3 == fake.opened
    assert (problem, 9) == (visit.problem, visit.observation["received_bytes"])


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (state(received_bytes=None, status=503), f"{ADDRESS}: HTTP status 503"),
        (state(received_bytes=None), f"{ADDRESS} was not loaded within 0 s"),
        (state(failure="part 3: HTTP status 500"), f"{ADDRESS}: part 3: HTTP status 500"),
        (state(idle_s=31), f"{ADDRESS} received nothing for 30 s"),
    ],
)
def test_what_goes_wrong_is_noted_once_and_the_visit_goes_on(wrong, problem):
    page, fake = visited(wrong, wrong, state(idle_s=40), state(received_bytes=70))
    visit = page.visit()
    assert (problem, 70) == (visit.problem, visit.observation["received_bytes"])
    assert [ADDRESS] == fake.opened


def test_a_service_that_received_nothing_says_so():
    page, _ = visited(state(received_bytes=0))
    assert f"{ADDRESS} received nothing" == page.visit().problem


def test_a_page_that_never_answered_has_an_observation_from_its_first_attempt_on():
    visit = visited(WAITS, WAITS)[0].visit()
    assert (0, [], 0) == (visit.observation["received_bytes"], visit.observation["protocols"], visit.waited_s)
    assert 0 <= visit.watched_s < 60
    assert visit.observation["since_ns"] > 1_795_000_000_000_000_000 - 10**17


def test_the_wait_before_the_attempt_that_succeeded_counts(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_794_999_980.0)
    assert 20 == visited(ERROR_PAGE, state())[0].visit().waited_s
    assert 0 == visited(state())[0].visit().waited_s, "only the browser was late"


def test_a_browser_that_does_not_answer_is_an_error(monkeypatch):
    def hangs(self, command: str, parameters: dict) -> dict:
        raise WebDriverException("chrome not reachable")

    page, fake = visited()
    fake.states = [WAITS]
    monkeypatch.setattr(Browser, "execute_cdp_cmd", hangs)
    with pytest.raises(WebDriverException):
        page.check()
