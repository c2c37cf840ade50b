"""The completeness of a page in each picture, from events as chromedriver gives them."""

import base64
import io
import json

import pytest
from PIL import Image

from services.screencast import HEIGHT, WIDTH, Screencast


def event(method: str, **params) -> dict:
    return {"message": json.dumps({"message": {"method": method, "params": params}})}


def frame(at: float, black_rows: int) -> dict:
    """A white picture whose upper rows are black."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    picture.paste("black", (0, 0, WIDTH, black_rows))
    stream = io.BytesIO()
    picture.save(stream, "jpeg", quality=95)
    data = base64.b64encode(stream.getvalue()).decode()
    return event("Page.screencastFrame", data=data, metadata={"timestamp": at}, sessionId=7)


class Browser:
    """A browser with given events, which counts acknowledged pictures."""

    def __init__(self, *events: dict) -> None:
        self.events = list(events)
        self.acknowledged = 0

    def execute(self, command: str, parameters: dict) -> dict:
        assert (command, parameters) == ("getLog", {"type": "performance"})
        events, self.events = self.events, []
        return {"value": events}

    def execute_cdp_cmd(self, command: str, parameters: dict) -> None:
        if command == "Page.screencastFrameAck":
            assert parameters == {"sessionId": 7}
            self.acknowledged += 1


def shown(*events: dict) -> tuple[Screencast, Browser]:
    browser = Browser(*events)
    screencast = Screencast(browser)
    screencast.poll()
    return screencast, browser


def test_completeness_is_the_progress_from_the_empty_page_to_the_last_picture():
    screencast, browser = shown(frame(99.5, 0), frame(100.5, 100), frame(101, 300), frame(103, 400))
    times, completeness = screencast.completeness(100.0)
    assert times == [0, 0.5, 1, 3]
    assert completeness == pytest.approx([0, 0.25, 0.75, 1], abs=0.02)
    assert browser.acknowledged == 4


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


def navigated(url: str, **more) -> dict:
    return event("Page.frameNavigated", frame={"url": url} | more)


LOADED = event("Page.loadEventFired", timestamp=1.0)


def test_only_the_load_event_of_the_page_counts_and_not_that_of_the_empty_page():
    assert shown(LOADED)[0].loaded is None
    assert shown(navigated("data:,"), LOADED, navigated("https://a.test/"))[0].loaded is None
    assert shown(navigated("https://a.test/", parentId="1"), LOADED)[0].loaded is None
    assert shown(navigated("https://a.test/"), LOADED)[0].loaded is not None


def test_the_browsers_own_error_page_is_told_from_the_page():
    unreachable, _ = shown(navigated("chrome-error://chromewebdata/"), LOADED)
    assert (True, None) == (unreachable.unreachable, unreachable.loaded)
    reached, _ = shown(navigated("chrome-error://chromewebdata/"), navigated("https://a.test/"), LOADED)
    assert not reached.unreachable
    assert reached.loaded is not None
