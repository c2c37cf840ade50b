"""A video with adaptive bitrate, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from urllib.parse import urlencode

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.drivers import unmet
from services.origin.ladder import ladder_name

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
NAMES = True
serve = origin.serve


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Play for `seconds`. Our own player fetches each segment over `flows` connections at once.

    Returns:
        The observation of every page, and `startup_s`, `watched_s`, `stalls`, `heights`, `played_s` and
        `frames`. Our own player adds `switches` of the bitrate and `segments`. A video that never started has
        the `startup_s` null and nothing else of a video.

    Raises:
        ServiceError: the browser failed.
    """
    visit = page_visit.visit(service, directory, _player_page(service), seconds)
    observation = _nothing_played(service) | visit.observation | visit.video | {"watched_s": visit.watched_s}
    startup_s = observation["startup_s"]
    if startup_s is None:
        return observation | unmet(problem(Code.VIDEO_NOT_STARTED, round(visit.watched_s)), visit.problem)
    assert isinstance(startup_s, int | float)
    return observation | {"startup_s": startup_s + visit.waited_s} | unmet(visit.problem)


def _nothing_played(service: Service) -> dict[str, Json]:
    """The observation of a player that was never loaded."""
    fetched: dict[str, Json] = {"switches": [], "segments": []} if service.video else {}
    return {"startup_s": None, "stalls": [], "heights": [], **fetched}


def _player_page(service: Service) -> str:
    """Our player's page; empty for a live service, which has its own."""
    if service.video is None:
        return ""
    manifest = f"video/{ladder_name(service.video.ladder_kbps)}/manifest.mpd"
    return f"player.html?{urlencode({'video': manifest, 'flows': service.flows}, safe='/')}"
