"""What the drivers of pages that stay open make of a visit: videos, calls and downloads."""

from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.base.records import Json
from scripts.model.drivers import check_observation
from scripts.model.problems import Code, Problem, problem
from scripts.model.services import Service, read_service
from services import page_visit
from services.drivers import batched_download, driver_of, unmet
from services.visited_page import Visit

PLAYED: dict[str, Json] = {
    "startup_s": 2.0, "stalls": [], "heights": [], "played_s": 9.0, "frames": {"shown": 9, "dropped": 0},
}  # fmt: skip
SECOND: dict[str, Json] = {
    "at_s": 1.0, "height": 360, "frames": 30, "dropped": 0, "freezes": 0, "received_bytes": 9,
}  # fmt: skip
SILENT = SECOND | {"height": 0, "frames": 0}
PROBLEM = problem(Code.PAGE_SILENT, 15)
SENTENCE = "the page did not answer within 15 s"


@pytest.fixture
def use(monkeypatch, tmp_path):
    """The observation of a driver whose visit observed this for 30 s, with this problem."""

    def observe(
        name: str,
        found: Problem | None = None,
        waited_s: float = 0,
        video: dict[str, Json] | None = None,
        seconds: list[Json] | None = None,
    ) -> dict[str, Json]:
        common = {"since_ns": 1, "received_bytes": 9, "protocols": [], "cpu_s": 1.0}
        visit = Visit(common, video or {}, seconds or [], found, 30.2, waited_s)
        monkeypatch.setattr(page_visit, "visit", lambda *_: visit)
        service = read_service(ROOT / f"services/catalogue/{name}.yaml")
        observation = driver_of(service.driver).use(service, "", 30, tmp_path)
        check_observation(observation, "the driver")
        return observation

    return observe


def test_a_reason_names_the_effect_and_its_cause():
    effect, cause = problem(Code.NOTHING_RECEIVED), problem(Code.PAGE_CRASHED)
    assert {} == unmet(None)
    assert {"unmet": "nothing was received"} == unmet(effect)
    assert {"unmet": "the page crashed"} == unmet(None, cause)
    assert {"unmet": "nothing was received: the page crashed"} == unmet(effect, cause)


def test_a_video_that_plays_meets_everything(use):
    observation = use("ref-video-4-reno", video=PLAYED)
    assert (2.0, 30.2) == (observation["startup_s"], observation["watched_s"])
    assert "unmet" not in observation


def test_the_startup_of_a_video_contains_the_wait_for_its_page(use):
    observation = use("ref-video-4-reno", PROBLEM, waited_s=16, video=PLAYED)
    assert (18.0, SENTENCE) == (observation["startup_s"], observation["unmet"])


@pytest.mark.parametrize("video", [{}, PLAYED | {"startup_s": None}])
def test_a_video_that_never_starts_was_watched_for_some_time(use, video):
    observation = use("ref-video-4-reno", video=video)
    assert (None, 30.2) == (observation["startup_s"], observation["watched_s"])
    assert [[], [], []] == [observation[name] for name in ("switches", "stalls", "heights")]
    assert "the video did not start within 30 s" == observation["unmet"]


@pytest.mark.parametrize("seconds", [[], [SILENT, SILENT]])
def test_a_call_without_a_picture_says_so(use, seconds):
    observation = use("ref-call-1500kbps", PROBLEM, seconds=seconds)
    assert seconds == observation["seconds_of_call"]
    assert f"no picture arrived within 30 s: {SENTENCE}" == observation["unmet"]


def test_a_call_with_a_picture_meets_everything(use):
    assert "unmet" not in use("ref-call-1500kbps", seconds=[SILENT, SECOND])


def test_only_a_driver_of_videos_keeps_what_is_seen_of_a_video(use):
    assert PLAYED.keys().isdisjoint(use("ref-file-bbr", video=PLAYED, seconds=[SECOND]))
    assert "seconds_of_call" not in use("ref-video-4-reno", video=PLAYED, seconds=[SECOND])


@pytest.mark.parametrize("name", ["ref-file-bbr", "ref-file-batched-5-bbr"])
def test_a_download_says_what_went_wrong(use, name):
    assert "unmet" not in use(name)
    assert SENTENCE == use(name, PROBLEM)["unmet"]


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("ref-file-batched-5-bbr", "flows=5&chunk_bytes=1000000&pause_s=0"),
        ("ref-file-batched-5-bbr-250kb-pause-500ms", "flows=5&chunk_bytes=250000&pause_s=0.5"),
    ],
)
def test_the_page_of_a_batched_download_is_told_chunk_and_pause(monkeypatch, tmp_path, name, query):
    opened = []

    def visit(service: Service, directory: Path, page: str, seconds: float) -> Visit:
        opened.append(page)
        return Visit({}, {}, [], None, 30.2, 0)

    monkeypatch.setattr(page_visit, "visit", visit)
    batched_download.use(read_service(ROOT / f"services/catalogue/{name}.yaml"), "", 30, tmp_path)
    assert [f"batched_download.html?{query}"] == opened
