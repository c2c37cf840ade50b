"""What the drivers of pages that stay open make of a visit: videos, calls and downloads."""

import pytest

from scripts.base.files import ROOT
from scripts.base.records import Json
from scripts.model.schemas import check
from scripts.model.services import read_service
from services import page_visit
from services.drivers import driver_of, unmet
from services.visited_page import Visit

PLAYED: dict[str, Json] = {"startup_s": 2.0, "stalls": [], "heights": [], "switches": [], "segments": []}
SECOND: dict[str, Json] = {
    "at_s": 1.0, "height": 360, "frames": 30, "dropped": 0, "freezes": 0, "received_bytes": 9,
}  # fmt: skip
SILENT = SECOND | {"height": 0, "frames": 0}
SENTENCE = "https://a.test/ did not answer within 15 s"


@pytest.fixture
def use(monkeypatch, tmp_path):
    """The observation of a driver whose visit observed this for 30 s, with this problem."""

    def observe(name: str, problem: str | None = None, waited_s: float = 0, **seen: Json) -> dict[str, Json]:
        observation = {
            "since_ns": 1,
            "received_bytes": 9,
            "protocols": [],
            "cpu_s": 1.0,
        } | seen
        monkeypatch.setattr(page_visit, "visit", lambda *_: Visit(observation, problem, 30.2, waited_s))
        service = read_service(ROOT / f"services/catalogue/{name}.yaml")
        found = driver_of(service.driver).use(service, "", 30, tmp_path)
        check(found, "qoe", lambda keys: "the driver")
        return found

    return observe


def test_a_reason_names_the_effect_and_its_cause():
    assert {} == unmet(None)
    assert {"unmet": "nothing came"} == unmet("nothing came")
    assert {"unmet": "it broke"} == unmet(None, "it broke")
    assert {"unmet": "nothing came: it broke"} == unmet("nothing came", "it broke")


def test_a_video_that_plays_meets_everything(use):
    observation = use("ref-video-4-reno", **PLAYED)
    assert (2.0, 30.2) == (observation["startup_s"], observation["watched_s"])
    assert "unmet" not in observation


def test_the_startup_of_a_video_contains_the_wait_for_its_page(use):
    observation = use("ref-video-4-reno", SENTENCE, waited_s=16, **PLAYED)
    assert (18.0, SENTENCE) == (observation["startup_s"], observation["unmet"])


@pytest.mark.parametrize("seen", [{}, PLAYED | {"startup_s": None}])
def test_a_video_that_never_starts_was_watched_for_some_time(use, seen):
    observation = use("ref-video-4-reno", **seen)
    assert (None, 30.2) == (observation["startup_s"], observation["watched_s"])
    assert [[], [], []] == [observation[name] for name in ("switches", "stalls", "heights")]
    assert "the video did not start within 30 s" == observation["unmet"]


@pytest.mark.parametrize("seen", [{}, {"seconds_of_call": []}, {"seconds_of_call": [SILENT, SILENT]}])
def test_a_call_without_a_picture_says_so(use, seen):
    observation = use("ref-call-1500kbps", SENTENCE, **seen)
    assert seen.get("seconds_of_call", []) == observation["seconds_of_call"]
    assert f"no picture arrived within 30 s: {SENTENCE}" == observation["unmet"]


def test_a_call_with_a_picture_meets_everything(use):
    assert "unmet" not in use("ref-call-1500kbps", seconds_of_call=[SILENT, SECOND])


@pytest.mark.parametrize("name", ["ref-file-bbr", "ref-file-batched-5-bbr"])
def test_a_download_says_what_went_wrong(use, name):
    assert "unmet" not in use(name)
    assert SENTENCE == use(name, SENTENCE)["unmet"]
