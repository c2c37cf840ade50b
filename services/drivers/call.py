"""A call of two browsers by WebRTC (Prudentia, Table 1 and 5.1): the far end is on the service's side.

Only the far end's camera is on: the other direction would not pass the bottleneck. Of a live service both
ends open the same meeting, the far end by the uplink without the bottleneck.
"""

import math
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from services import browser, origin, watching
from services.drivers import ServiceError
from services.origin.camera import FILM
from services.origin.certificate import make_certificate
from services.origin.content import built
from services.origin.signalling import serve_in_background

PROGRAMS = browser.PROGRAMS | {name: origin.PROGRAMS[name] for name in ("dnsmasq", "openssl")}
POLL_S = 0.5
SOUND_KBPS = 55
"""What Chromium's sound takes, with its headers."""

PACKET_PER_PICTURE = 1.066
"""IP packets per byte of encoded picture: headers of IP, UDP and RTP, measured at 1.5 Mbps."""

CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
NO_CAMERA = ("--deny-permission-prompts",)


def serve(service: dict[str, Any], address: str, directory: Path) -> None:
    """Serve the call's page, if the service is not live, and be the far end, until stopped.

    Raises:
        ServiceError: the server or the far end's browser broke.
    """
    if "live" in service:
        far = directory / "far"
        far.mkdir()
        watching.watch(service, far, "", math.inf, _camera(built(service)), silence_s=math.inf)
    content = built(service)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        make_certificate(service["hosts"], work, directory)
        server = serve_in_background(content, work / "certificate.pem", work / "key.pem", origin.HTTPS_PORT)
        picture_kbps = round((service["call"]["cap_kbps"] - SOUND_KBPS) / PACKET_PER_PICTURE)
        asked = urlencode({"end": "far", "kbps": picture_kbps})
        with browser.chromium(service, directory, _camera(content), "far-chromedriver.log") as opened:
            address = watching.address_of(service, f"call.html?{asked}")
            browser.open_page(opened, address, address)
            while server.is_alive():
                failed = opened.execute_script("return window.failed")
                if failed:
                    raise ServiceError(f"the far end: {failed}")
                time.sleep(POLL_S)
    raise ServiceError("the server of the call ended")


def _camera(content: Path) -> list[str]:
    return [*CAMERA, f"--use-file-for-fake-video-capture={content / FILM}"]


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Watch the far end for `seconds`.

    Returns:
        What every page reports, and `seconds_of_call`: each second's height of the picture and
        the frames, freezes and bytes so far.

    Raises:
        ServiceError: a browser or the service broke, or no picture ever came.
    """
    flags = NO_CAMERA if "live" in service else ()
    seen = watching.watch(service, directory, "call.html?end=near", seconds, flags)
    if not any(second["frames"] for second in seen.get("seconds_of_call", [])):
        raise ServiceError(f"no picture came within {seconds} s")
    return seen
