"""The completeness of a page in each picture, from events as the browser gives them."""

import base64
import io
import json
import time

import msgspec
import pytest
from PIL import Image

from scripts.base.records import Json
from services import screencast as screencasts
from services.devtools import Event
from services.drivers import ServiceError
from services.screencast import HEIGHT, WIDTH, Screencast
from services.tab import Listener


def event(method: str, **params) -> Event:
    return Event(method, msgspec.Raw(json.dumps(params).encode()), None)


def frame(at: float, black_rows: int) -> Event:
    """A white picture whose upper rows are black."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    picture.paste("black", (0, 0, WIDTH, black_rows))
    stream = io.BytesIO()
    picture.save(stream, "jpeg", quality=95)
    data = base64.b64encode(stream.getvalue()).decode()
    return event("Page.screencastFrame", data=data, metadata={"timestamp": at}, sessionId=7)


class Tab:
    """A tab that counts acknowledged pictures. It ignores the first `deaf` requests for pictures."""

    def __init__(self, first: Event, deaf: int = 0) -> None:
        self.listeners: list[Listener] = []
        self.acknowledged = 0
        self.requests = 0
        self._first = first
        self._deaf = deaf

    def send(self, method: str, **parameters: Json) -> None:
        if method == "Page.screencastFrameAck":
            assert parameters == {"sessionId": 7}
            self.acknowledged += 1
        elif method == "Page.startScreencast":
            self.requests += 1

    def follow(self, seconds: float) -> None:
        if self.requests > self._deaf:
            self.hear(self._first)
        else:
            time.sleep(seconds)

    def hear(self, *events: Event) -> None:
        for happened in events:
            for listener in self.listeners:
                listener(happened)


def shown(first: Event, *events: Event) -> tuple[Screencast, Tab]:
    """A tab that showed these pictures: the first before anything was opened."""
    tab = Tab(first)
    screencast = Screencast(tab)
    tab.hear(*events)
    return screencast, tab


def test_completeness_is_the_progress_from_the_empty_page_to_the_last_picture():
    screencast, tab = shown(frame(99.5, 0), frame(100.5, 100), frame(101, 300), frame(103, 400))
    times, completeness = screencast.completeness(100.0)
    assert times == [0, 0.5, 1, 3]
    assert completeness == pytest.approx([0, 0.25, 0.75, 1], abs=0.02)
    assert tab.acknowledged == 4


def test_without_a_picture_of_the_empty_page_the_start_is_white():
    _, completeness = shown(frame(100.2, 200), frame(100.4, 400))[0].completeness(100.0)
    assert completeness == pytest.approx([0, 0.5, 1], abs=0.02)


def test_a_picture_that_arrives_late_counts_at_its_own_time():
    screencast, _ = shown(frame(100.5, 100), frame(103, 400), frame(101, 300))
    times, completeness = screencast.completeness(100.0)
    assert times == [0, 0.5, 1, 3]
    assert completeness == pytest.approx([0, 0.25, 0.75, 1], abs=0.02)


def test_content_that_disappears_makes_the_page_less_complete():
    _, completeness = shown(frame(101, 400), frame(102, 0), frame(103, 400))[0].completeness(100.0)
    assert completeness == pytest.approx([0, 1, 0, 1], abs=0.02)


def test_pictures_that_do_not_come_are_requested_again(monkeypatch):
    monkeypatch.setattr(screencasts, "FIRST_S", 0.05)
    tab = Tab(frame(100.2, 0), deaf=2)
    Screencast(tab)
    assert 3 == tab.requests
    assert 1 == tab.acknowledged


def test_a_browser_that_never_sends_a_picture_is_broken(monkeypatch):
    monkeypatch.setattr(screencasts, "FIRST_S", 0.05)
    monkeypatch.setattr(screencasts, "ANSWER_S", 0.2)
    with pytest.raises(ServiceError, match="did not answer"):
        Screencast(Tab(frame(100.2, 0), deaf=1000))
