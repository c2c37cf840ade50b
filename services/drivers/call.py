"""A WebRTC call of two browsers (Prudentia, Table 1 and 5.1). The far end is on the service's side.

Only the far end's camera is on, because the other direction does not pass the bottleneck. For a live service
both ends open the same meeting, and the far end uses the uplink without the bottleneck.
"""

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from selenium import webdriver

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Service
from services import browser, origin, page_visit
from services.drivers import ServiceError, unmet
from services.origin.camera import FILM
from services.origin.certificate import make_certificate
from services.origin.content import require_built
from services.origin.signalling import serve_in_background

PROGRAMS = browser.PROGRAMS | {name: origin.PROGRAMS[name] for name in ("dnsmasq", "openssl")}
NAMES = True
POLL_S = 0.5
FAR_LOG = "far-chromedriver.log"
SOUND_KBPS = 55
"""The rate of Chromium's sound, with its headers."""

PACKET_BYTES_PER_PICTURE_BYTE = 1.066
"""The overhead of IP, UDP and RTP headers, measured at 1.5 Mbps."""

CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


def serve(service: Service, address: str, directory: Path) -> None:
    """Run the far end until stopped. For a self-hosted service, serve the call's page too.

    Raises:
        ServiceError: the server or the far end's browser failed.
    """
    content = require_built(service)
    if service.live:
        with browser.chromium(service, directory, _camera(content), FAR_LOG) as opened:
            _stay_in_call(opened, service, "", directory, lambda: True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        make_certificate(service.hosts, work, directory)
        server = serve_in_background(content, work / "certificate.pem", work / "key.pem", origin.HTTPS_PORT)
        with browser.chromium(service, directory, _camera(content), FAR_LOG) as opened:
            _stay_in_call(opened, service, _far_page(service), directory, server.is_alive)
    raise ServiceError(problem(Code.CALL_SERVER_ENDED))


def _stay_in_call(
    opened: webdriver.Chrome, service: Service, page: str, directory: Path, may_stay: Callable[[], bool]
) -> None:
    """Be the far end. No competition reaches it, so what goes wrong there is the testbed's fault."""
    with page_visit.tab_of(opened, service) as tab:
        far = page_visit.visited_page(tab, service, page, directory, silence_s=math.inf)
        while may_stay():
            far.check()
            if far.problem:
                raise ServiceError(problem(Code.FAR_END), far.problem)
            tab.follow(POLL_S)


def _far_page(service: Service) -> str:
    assert service.call is not None
    picture_kbps = round((service.call.cap_kbps - SOUND_KBPS) / PACKET_BYTES_PER_PICTURE_BYTE)
    return f"call.html?{urlencode({'end': 'far', 'kbps': picture_kbps})}"


def _camera(content: Path) -> list[str]:
    return [*CAMERA, f"--use-file-for-fake-video-capture={content / FILM}"]


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Watch the far end for `seconds`.

    Returns:
        The observation of every page, and `seconds_of_call`: for each second the height of the picture and
        the frames, freezes and bytes so far; empty if no stream arrived.

    Raises:
        ServiceError: the browser failed.
    """
    visit = page_visit.visit(service, directory, "call.html?end=near", seconds)
    observation = visit.observation | {"seconds_of_call": visit.seconds_of_call}
    if any(isinstance(second, dict) and second["frames"] for second in visit.seconds_of_call):
        return observation | unmet(visit.problem)
    return observation | unmet(problem(Code.NO_PICTURE, round(visit.watched_s)), visit.problem)
