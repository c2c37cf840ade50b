"""A video whose bitrate adapts, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from services import browser, origin, watching
from services.drivers import ServiceError
from services.origin.ladder import ladder_name

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Play for `seconds`; the panel's player fetches each segment over `flows` connections at once.

    Returns:
        What every page reports, and what a viewer notices: `startup_s`, `stalls`, `heights`, `played_s` and
        `frames`; of the panel's player `switches` of the bitrate and the `segments` too.

    Raises:
        ServiceError: the browser, the service or the player broke, or nothing was ever shown.
    """
    seen = watching.watch(service, directory, _player(service), seconds)
    if seen.get("startup_s") is None:
        raise ServiceError(f"the video did not start within {seconds} s")
    return seen


def _player(service: dict[str, Any]) -> str:
    """The panel's page; a live service has its own."""
    if "video" not in service:
        return ""
    video = f"video/{ladder_name(service['video']['ladder_kbps'])}/manifest.mpd"
    return f"player.html?{urlencode({'video': video, 'flows': service['flows']}, safe='/')}"
