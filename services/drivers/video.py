"""A video with adaptive bitrate, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from urllib.parse import urlencode

from scripts.base.records import Json
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.drivers import ServiceError
from services.origin.ladder import ladder_name

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Play for `seconds`. Our own player fetches each segment over `flows` connections at once.

    Returns:
        The observation of every page, and `startup_s`, `stalls`, `heights`, `played_s` and `frames`. Our own
        player adds `switches` of the bitrate and `segments`.

    Raises:
        ServiceError: the browser, the service or the player failed, or no picture was shown.
    """
    observation = page_visit.visit(service, directory, _player_page(service), seconds)
    if observation.get("startup_s") is None:
        raise ServiceError(f"the video did not start within {seconds} s")
    return observation


def _player_page(service: Service) -> str:
    """Our player's page; empty for a live service, which has its own."""
    if service.video is None:
        return ""
    manifest = f"video/{ladder_name(service.video.ladder_kbps)}/manifest.mpd"
    return f"player.html?{urlencode({'video': manifest, 'flows': service.flows}, safe='/')}"
