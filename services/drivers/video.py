"""A video whose bitrate adapts, in a browser (Prudentia, Table 1)."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from services import browser, origin
from services.drivers import ServiceError
from services.origin.ladder import ladder_name

PROGRAMS = browser.PROGRAMS | origin.PROGRAMS
serve = origin.serve


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Play for `seconds`, each segment over `flows` connections at once.

    Returns:
        What every page of the panel reports, and what a viewer notices: `startup_s`, `stalls`, `switches` of
        the bitrate, the `segments`, `played_s` and `frames`.

    Raises:
        ServiceError: the browser, the service or the player broke, or nothing was ever shown.
    """
    video = f"video/{ladder_name(service['video']['ladder_kbps'])}/manifest.mpd"
    asked = urlencode({"video": video, "flows": service["flows"]}, safe="/")
    seen = browser.watch(service, directory, f"player.html?{asked}", seconds)
    if seen["startup_s"] is None:
        raise ServiceError(f"the video did not start within {seconds} s")
    return seen
