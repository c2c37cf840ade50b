"""The loads of a web page: which are kept, which are censored, and the gaps between them."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import msgspec
import pytest

from scripts.base.records import Json
from scripts.model.drivers import check_observation
from scripts.model.problems import Code, Problem, problem
from scripts.model.services import Page, Probe, Schedule, Service
from services import browser, page_load, page_visit
from services.devtools import Event
from services.drivers import page
from services.tab import Listener
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
NEVER = 1e9
FRAME = "main"


class Screencast:
    """The pictures of a page that is shown at once."""

    def __init__(self, tab: "Tab") -> None:
        pass

    def completeness(self, start_s: float) -> tuple[list[float], list[float]]:
        return [0.0, 0.01], [0.0, 1.0]


class Tab:
    """A tab in which the page takes `load_s` until its load event and then has this status.

    It cannot be reached before it is opened for the `needed_attempts`-th time.
    """

    def __init__(self, load_s: float, status: int, needed_attempts: int, problem: Problem | None) -> None:
        self.main_frame = FRAME
        self.listeners: list[Listener] = []
        self.problem = problem
        self.away = False
        self.unreachable = False
        self.answered = False
        self._load_s = load_s
        self._status = status
        self._missing_attempts = needed_attempts

    def count_traffic(self) -> None:
        pass

    def navigate(self, address: str) -> None:
        self._missing_attempts -= 1
        self._opened = time.monotonic()
        self._is_loaded = False
        self.unreachable = self._missing_attempts > 0
        self.answered = True
        times = {"timestamp": self._opened, "wallTime": time.time()}
        request = {"requestId": "1", "type": "Document", "frameId": FRAME}
        self._tell("Network.requestWillBeSent", **request, **times, request={"url": address})
        if not self.unreachable:
            response = {"status": self._status, "encodedDataLength": 60, "protocol": "h2"}
            self._tell("Network.responseReceived", **request, response=response)
            self._tell("Page.loadEventFired", timestamp=self._opened - 1)  # That of the empty page.
            self._tell("Page.frameNavigated", frame={"url": address})
            self._tell("Network.dataReceived", requestId="1", encodedDataLength=40)

    def follow(self, seconds: float) -> None:
        time.sleep(0.01)
        if not self.unreachable and not self._is_loaded and time.monotonic() > self._opened + self._load_s:
            self._is_loaded = True
            self._tell("Page.loadEventFired", timestamp=time.monotonic())

    def evaluate(self, expression: str, kind: type) -> int:
        return 0

    def _tell(self, method: str, **params: Json) -> None:
        for listener in self.listeners:
            listener(Event(method, msgspec.Raw(json.dumps(params).encode()), None))


@pytest.fixture
def loads_of(monkeypatch, tmp_path):
    """The observation of a page whose loads take these times."""

    def observe(
        *load_s: float,
        status: int = 200,
        needed_attempts: int = 1,
        seconds: float = 60,
        problem: Problem | None = None,
        settle_s: float = 0.02,
    ) -> dict:
        times_s = iter(load_s)

        @contextmanager
        def tab_of(opened: None, service: Service) -> Iterator[Tab]:
            yield Tab(next(times_s), status, needed_attempts, problem)

        monkeypatch.setattr(browser, "chromium", lambda *_: nullcontext())
        monkeypatch.setattr(page_visit, "tab_of", tab_of)
        monkeypatch.setattr(page_load, "Screencast", Screencast)
        monkeypatch.setattr(page_load, "SETTLE_S", settle_s)
        monkeypatch.setattr(browser, "REOPEN_S", 0.1)
        observation = page.use(SERVICE, "", seconds, tmp_path)
        check_observation(observation, "the driver")
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


def test_a_load_whose_event_comes_before_the_limit_is_whole(loads_of):
    """Its times are known, although the page is watched beyond the limit until it stands."""
    (load, *_) = loads_of(LIMIT_S / 2, 0.01, 0.01, settle_s=LIMIT_S)["loads"]
    assert not load["censored"] and LIMIT_S / 2 <= load["load_event_s"] < LIMIT_S


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
    assert (
        "3 of 3 loads had not ended after 0.4 s: the page answered with HTTP status 503"
        == observation["unmet"]
    )


def test_what_a_page_must_not_do_is_told_though_its_loads_end(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, problem=problem(Code.WINDOW))
    assert [False] * 3 == [load["censored"] for load in observation["loads"]]
    assert "the page opened a window" == observation["unmet"]


def test_a_page_that_cannot_be_reached_is_opened_again_and_the_wait_counts(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, needed_attempts=2)
    assert [False] * 3 == [load["censored"] for load in observation["loads"]]
    assert all(load["load_event_s"] >= 0.1 for load in observation["loads"])
    assert "unmet" not in observation


def test_a_page_that_is_never_reached_is_censored(loads_of):
    observation = loads_of(0.01, 0.01, 0.01, needed_attempts=100)
    assert "3 of 3 loads had not ended after 0.4 s: the page cannot be reached" == observation["unmet"]


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
