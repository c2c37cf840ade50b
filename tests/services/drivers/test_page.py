"""The loads of a web page: which are kept, which are censored, and the gaps between them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scripts.model.schemas import check
from scripts.model.services import Page, Probe, Schedule, Service
from services import browser, page_load
from services.drivers import page
from services.use_time import FINISH, SHARED

LIMIT_S = 0.4
GAP_S = 0.2
SERVICE = Service(
    "page",
    "Page",
    "Web",
    "page",
    "bbr",
    Probe(443),
    metric="web",
    hosts=("page.test",),
    page=Page("index.html"),
    schedule=Schedule(loads=3, gap_s=GAP_S, limit_s=LIMIT_S),
)
ADDRESS = "https://page.test/index.html"
NEVER = 1e9


class Screencast:
    """The pictures of a page that is shown at once. Its load event comes `load_s` after its start.

    It cannot be reached before it is opened for the second time, if the browser says so.
    """

    def __init__(self, opened: "Browser") -> None:
        self._opened = opened
        self.unreachable = False
        self.loaded: float | None = None

    def start(self) -> None:
        self._start = time.monotonic()

    def poll(self) -> None:
        time.sleep(0.01)
        self.unreachable = self._opened.attempts < self._opened.needed_attempts
        loaded = self._start + self._opened.load_s
        self.loaded = loaded if time.monotonic() > loaded and not self.unreachable else None

    def completeness(self, start_s: float) -> tuple[list[float], list[float]]:
        return [0.0, 0.01], [0.0, 1.0]


class Browser:
    """A browser in which the page takes `load_s` and then has this status."""

    def __init__(self, load_s: float, status: int, needed_attempts: int) -> None:
        self.load_s = load_s
        self.needed_attempts = needed_attempts
        self.attempts = 0
        self._status = status
        self._origin_ms = time.time() * 1000

    def get(self, address: str) -> None:
        self.attempts += 1
        self._origin_ms = time.time() * 1000

    def execute_cdp_cmd(self, command: str, parameters: dict) -> None:
        assert command == "Page.stopLoading"

    def execute_script(self, script: str) -> object:
        if script != page_load.FACTS:
            return ADDRESS
        return {
            "url": ADDRESS,
            "status": self._status,
            "origin_ms": self._origin_ms,
            "load_event_s": self.load_s,
            "requests": 2,
            "received_bytes": 100,
            "protocols": ["h2"],
            "broken_images": 0,
        }


@pytest.fixture
def loads_of(monkeypatch, tmp_path):
    """The observation of a page whose loads take these times."""

    def observe(*load_s: float, status: int = 200, needed_attempts: int = 1, seconds: float = 60) -> dict:
        times_s = iter(load_s)

        @contextmanager
        def chromium(service: Service, directory: Path) -> Iterator[Browser]:
            yield Browser(next(times_s), status, needed_attempts)

        monkeypatch.setattr(browser, "chromium", chromium)
        monkeypatch.setattr(page_load, "Screencast", Screencast)
        monkeypatch.setattr(page_load, "SETTLE_S", 0.02)
        monkeypatch.setattr(browser, "REOPEN_S", 0.1)
        observation = page.use(SERVICE, "", seconds, tmp_path)
        check(observation, "qoe", lambda keys: "the driver")
        return observation

    return observe


def test_a_load_that_does_not_end_is_censored_and_the_next_goes_on(loads_of):
    observation = loads_of(0.01, NEVER, 0.01)
    assert [False, True, False] == [load["censored"] for load in observation["loads"]]
    assert "1 of 3 loads had not ended after 0.4 s" == observation["unmet"]
    _, censored, _ = observation["loads"]
    assert (LIMIT_S, LIMIT_S) == (censored["visually_complete_s"], censored["speed_index_s"])
    assert censored["load_event_s"] is None
    assert [[0.0, 0.0], [0.01, 1.0]] == censored["completeness"], "what was seen until then is kept"
    assert 300 == observation["received_bytes"]


def test_a_gap_begins_at_the_end_of_a_load(loads_of):
    first, second, third = (load["since_ns"] / 1e9 for load in loads_of(0.01, NEVER, 0.01)["loads"])
    assert second - first >= 0.03 + GAP_S - 0.01
    assert third - second >= LIMIT_S + GAP_S - 0.01


def test_loads_that_end_by_themselves_meet_everything(loads_of):
    observation = loads_of(0.01, 0.01, 0.01)
    assert 3 == len(observation["loads"])
    assert "unmet" not in observation


def test_a_page_that_fails_does_not_stand(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, status=503)
    assert f"3 of 3 loads had not ended after 0.4 s: {ADDRESS}: HTTP status 503" == observation["unmet"]


def test_a_page_that_cannot_be_reached_is_opened_again_and_the_wait_counts(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, needed_attempts=2)
    assert [False] * 3 == [load["censored"] for load in observation["loads"]]
    assert all(load["load_event_s"] >= 0.1 for load in observation["loads"])
    assert "unmet" not in observation


def test_a_page_that_is_never_reached_is_censored(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, needed_attempts=100)
    assert f"3 of 3 loads had not ended after 0.4 s: {ADDRESS} cannot be reached" == observation["unmet"]


def test_a_page_that_reaches_the_end_of_its_time_says_so(loads_of):
    observation = loads_of(0.01, NEVER, seconds=0.4)
    assert 1 == len(observation["loads"])
    assert "1 of 3 loads ended within the time of the trial" == observation["unmet"]


def test_a_page_that_another_page_ends_has_the_loads_so_far(loads_of, tmp_path):
    (tmp_path / SHARED).mkdir()
    (tmp_path / SHARED / FINISH).touch()
    observation = loads_of()
    assert ([], 0) == (observation["loads"], observation["received_bytes"])
    assert "unmet" not in observation
