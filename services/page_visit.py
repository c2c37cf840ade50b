"""A visit to a page: a browser opens it, and its state is read until the visit is over."""

from collections.abc import Sequence
from pathlib import Path

from selenium import webdriver

from scripts.model.services import Service
from services import browser
from services.browser_settings import client_settings
from services.live_page import LivePage
from services.use_time import UseTime
from services.visited_page import SILENCE_S, Visit, VisitedPage

POLL_S = 0.5
OBSERVER = Path(__file__).with_name("observer.js").read_text(encoding="utf-8")


def address_of(service: Service, page: str, directory: Path) -> str:
    """The address to open: that of a live service, or this page of a self-hosted one."""
    address = client_settings(directory).address if service.live else f"https://{service.hosts[0]}/{page}"
    assert address is not None
    return address


def public_name(service: Service, address: str) -> str:
    """The name of a page in what is published. A live service's address may be private."""
    return service.name if service.live else address


def visit(
    service: Service, directory: Path, page: str, seconds: float, more_flags: Sequence[str] = ()
) -> Visit:
    """Open a page of the service and keep it open for the time of its driver (services/use_time.py).

    Raises:
        ServiceError: the browser failed.
    """
    use_time = UseTime(seconds, directory)
    with browser.chromium(service, directory, more_flags) as opened:
        visited = visited_page(opened, service, page, directory)
        while use_time.left_s:
            use_time.wait(POLL_S)
            visited.check()
        return visited.visit()


def visited_page(
    opened: webdriver.Chrome, service: Service, page: str, directory: Path, silence_s: float = SILENCE_S
) -> VisitedPage:
    """Open a page of the service. It may receive nothing for `silence_s`."""
    opened.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OBSERVER})
    address = address_of(service, page, directory)
    name = public_name(service, address)
    if service.live:
        return LivePage(opened, name, address, silence_s, service.live, directory / browser.DOWNLOADS)
    return VisitedPage(opened, name, address, silence_s)
